-- Where an integer is needed a float with an exact integer value will do, others are errors (manual 3.4.3).
local t = {10, 20, 30}
print(t[1.0], t[2.0], t[1.5], rawget(t, 3.0))  -- expect: 10	20	nil	30
t[4.0] = 40
print(#t, next({[5.0] = 1}), math.type(next({[5.0] = 1})))  -- expect: 4	5	integer
print(string.rep('x', 3.0), string.sub('hello', 2.0, 4.0), ('x'):rep('2'))  -- expect: xxx	ell	xx
print(pcall(string.rep, 'x', 1.5))
-- expect: false	bad argument #2 to 'string.rep' (number has no integer representation)
print(pcall(string.sub, 'x', 1e100))
-- expect: false	bad argument #2 to 'string.sub' (number has no integer representation)
print(pcall(string.char, 65.5))
-- expect: false	bad argument #1 to 'string.char' (number has no integer representation)
print(pcall(string.rep, 'x', 0/0))
-- expect: false	bad argument #2 to 'string.rep' (number has no integer representation)
print(math.tointeger(3.0), math.tointeger(3.5), math.tointeger('8'), math.tointeger(2^63), math.tointeger({}))
-- expect: 3	nil	8	nil	nil
print(3 | 0, 3.0 | 0, -0.0 | 0, 2^62 | 0)  -- expect: 3	3	0	4611686018427387904
print(({[2^53] = 'big'})[2^53 | 0])  -- expect: big
