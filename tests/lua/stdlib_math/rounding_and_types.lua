-- floor, ceil, tointeger, type, modf, fmod, abs, ult (manual 6.7).
print(math.floor(3.7), math.floor(-3.7), math.ceil(3.2), math.ceil(-3.2), math.floor(5), math.floor(1e100), math.ceil(-1e100))
-- expect: 3	-4	4	-3	5	1e+100	-1e+100
print(math.type(math.floor(3.7)), math.type(math.floor(1e100)), math.type(1), math.type(1.0), math.type('1'), math.type(nil))
-- expect: integer	float	integer	float	nil	nil
print(math.tointeger(3.0), math.tointeger(3.5), math.tointeger('8'), math.tointeger('x'), math.tointeger({}), math.tointeger(2^63), math.tointeger(-2^63))
-- expect: 3	nil	8	nil	nil	nil	-9223372036854775808
print(math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(math.huge), math.modf(-math.huge), math.modf(0.0))
-- expect: 3	-3	5	inf	-inf	0	0.0
print(math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3), math.fmod(7.5, 2), math.fmod(-7.5, 2), math.fmod(math.mininteger, -1), math.fmod(1, math.huge))
-- expect: 1	-1	1	1.5	-1.5	0	1.0
print(pcall(math.fmod, 1, 0))  -- expect: false	bad argument #2 to 'math.fmod' (zero)
print(math.fmod(1, 0.0) ~= math.fmod(1, 0.0), math.fmod(5, math.mininteger), math.fmod(math.mininteger, math.mininteger))
-- expect: true	5	0
print(math.abs(-5), math.abs(-5.5), math.abs(math.mininteger), math.abs(-0.0), math.abs('-3'))
-- expect: 5	5.5	-9223372036854775808	0.0	3.0
print(math.ult(1, 2), math.ult(-1, 2), math.ult(1, -1), math.ult(0, 0), pcall(math.ult, 1.5, 2))
-- expect: true	false	true	false	false	bad argument #1 to 'math.ult' (number has no integer representation)
print(math.max(1, 2.5, -1), math.min(1, 2.5, -1), math.max(1), math.max(2, 2.0), math.max(2.0, 2), math.min(0, -0.0), math.max(1, 0/0) ~= 1)
-- expect: 2.5	-1	1	2	2.0	0	false
print(pcall(math.max))  -- expect: false	bad argument #1 to 'math.max' (value expected)
print(pcall(math.floor, 'x'))  -- expect: false	bad argument #1 to 'math.floor' (number expected, got string)
print(pcall(math.floor))  -- expect: false	bad argument #1 to 'math.floor' (number expected, got no value)
print(pcall(math.type))  -- expect: false	bad argument #1 to 'math.type' (value expected)
print(math.maxinteger, math.mininteger, math.pi, math.huge, -math.huge)
-- expect: 9223372036854775807	-9223372036854775808	3.1415926535898	inf	-inf
print(math.floor('10.5'), math.ceil('10.5'), math.sqrt(16), math.sqrt(2), math.sqrt(-1) ~= math.sqrt(-1))
-- expect: 10	11	4.0	1.4142135623731	true
print(math.floor(-0.0), math.ceil(-0.5), math.floor(2^31 + 0.5), math.floor(2^53), math.floor(-2^63), math.floor(2^62 + 0.0))
-- expect: 0	0	2147483648	9007199254740992	-9223372036854775808	4611686018427387904
