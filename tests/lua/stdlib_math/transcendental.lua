-- sin, cos, tan, asin, acos, atan, exp, log with and without base.
local function r(x) return string.format('%.10g', x) end
print(r(math.sin(1)), r(math.cos(1)), r(math.tan(1)), r(math.asin(1)), r(math.acos(0)), r(math.atan(1)), r(math.atan(1, -1)), r(math.atan(-1, -1)), r(math.atan(0, -1)), r(math.atan(-0.0, -1)))
-- expect: 0.8414709848	0.5403023059	1.557407725	1.570796327	1.570796327	0.7853981634	2.35619449	-2.35619449	3.141592654	-3.141592654
print(r(math.exp(1)), r(math.log(10)), r(math.log(8, 2)), r(math.log(1000, 10)), r(math.log(27, 3)), r(math.log(0)), r(math.log(2, 4)), math.log(1024, 2), math.log(100, 10))
-- expect: 2.718281828	2.302585093	3	3	3	-inf	0.5	10.0	2.0
print(r(math.deg(math.pi)), r(math.rad(180)), r(math.exp(710)), r(math.exp(-750)), math.log(-1) ~= math.log(-1))
-- expect: 180	3.141592654	inf	0	true
print(pcall(math.sin, 'x'))  -- expect: false	bad argument #1 to 'math.sin' (number expected, got string)
print(pcall(math.log, 1, {}))  -- expect: false	bad argument #2 to 'math.log' (number expected, got table)
print(math.sin(0), math.cos(0), math.exp(0), math.log(1), math.sqrt(0))  -- expect: 0.0	1.0	1.0	0.0	0.0
