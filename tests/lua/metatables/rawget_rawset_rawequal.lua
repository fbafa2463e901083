-- The raw functions bypass metamethods and check their arguments.
local t = setmetatable({}, {__index = function() return 'index' end, __newindex = error, __eq = function() return true end, __len = function() return 9 end})
print(rawget(t, 'x'), rawset(t, 'x', 1) == t, rawget(t, 'x'), rawlen(t), rawequal(t, {}))
-- expect: nil	true	1	0	false
print(pcall(rawget, 1, 'x'))  -- expect: false	bad argument #1 to 'rawget' (table expected, got number)
print(pcall(rawset, {}, nil, 1))  -- expect: false	table index is nil
print(pcall(rawset, {}, 'x'))  -- expect: false	bad argument #3 to 'rawset' (value expected)
print(pcall(rawset, 'x', 1, 2))  -- expect: false	bad argument #1 to 'rawset' (table expected, got string)
print(pcall(rawequal, 1))  -- expect: false	bad argument #2 to 'rawequal' (value expected)
print(rawequal('a', 'a'), rawequal(1, 1.0), rawequal(nil, nil))  -- expect: true	true	true
