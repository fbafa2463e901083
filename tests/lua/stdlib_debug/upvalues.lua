-- getupvalue, setupvalue, upvalueid, upvaluejoin.
local a, b = 1, 2
local function f() return a, b end
local function g() return b end
print(debug.getupvalue(f, 1))
print(debug.getupvalue(f, 2))
print(debug.getupvalue(f, 3), debug.setupvalue(f, 1, 'new a'), f())
print(debug.upvalueid(f, 2) == debug.upvalueid(g, 1), debug.upvalueid(f, 1) == debug.upvalueid(g, 1), type(debug.upvalueid(f, 1)))
local function h() local x = 'joined' return function() return x end end
debug.upvaluejoin(g, 1, h(), 1)
print(g(), f())
print(debug.setupvalue(f, 5, 1), pcall(debug.getupvalue, 1, 1))
print(debug.upvalueid(f, 10), pcall(debug.upvaluejoin, f, 10, g, 1))
print(pcall(debug.upvaluejoin, print, 1, g, 1))
print(debug.getupvalue(load('return x'), 1) == '_ENV', debug.getupvalue(string.gmatch('a', 'a'), 1))
print(debug.getupvalue(print, 1), pcall(debug.setupvalue, f, 1))
-- expect: a	1
-- expect: b	2
-- expect: nil	a	new a	2
-- expect: true	false	userdata
-- expect: joined	new a	2
-- expect: nil	false	bad argument #1 to 'debug.getupvalue' (function expected, got number)
-- expect: nil	false	bad argument #2 to 'debug.upvaluejoin' (invalid upvalue index)
-- expect: false	bad argument #2 to 'debug.upvaluejoin' (invalid upvalue index)
-- expect: true		a
-- expect: nil	false	bad argument #3 to 'debug.setupvalue' (value expected)
