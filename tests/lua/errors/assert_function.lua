-- assert passes its values or raises its message (manual 6.1).
print(assert(1, 2, 3))  -- expect: 1	2	3
print(assert('x'))  -- expect: x
print(pcall(assert, false))  -- expect: false	assertion failed!
print(pcall(assert, nil, 'message'))  -- expect: false	message
print(pcall(assert, false, nil))  -- expect: false	nil
print(pcall(assert, nil, 42))  -- expect: false	42
local t = {}
print(select(2, pcall(assert, false, t)) == t)  -- expect: true
print(pcall(assert))  -- expect: false	bad argument #1 to 'assert' (value expected)
print(pcall(assert, true))  -- expect: true	true
print(select('#', assert(1, nil, nil)))  -- expect: 3
