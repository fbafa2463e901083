-- concat: separators, ranges, numbers, errors.
print(table.concat{}, table.concat{'a'}, table.concat({'a', 'b', 'c'}), table.concat({'a', 'b', 'c'}, ', '))
-- expect: 	a	abc	a, b, c
print(table.concat({1, 2.5, 'x', -0.0}, ' '), table.concat({1, 2, 3}, ',', 2), table.concat({1, 2, 3}, ',', 2, 2), table.concat({1, 2, 3}, ',', 3, 2) == '')
-- expect: 1 2.5 x -0.0	2,3	2	true
print(table.concat({1, 2, 3}, 0), table.concat({'a', 'b'}, '\0') == 'a\0b')  -- expect: 10203	true
print(pcall(table.concat, {1, {}, 3}))
-- expect: false	invalid value (table) at index 2 in table for 'concat'
print(pcall(table.concat, {1, 2}, ',', 1, 3))
-- expect: false	invalid value (nil) at index 3 in table for 'concat'
print(pcall(table.concat, {true}))  -- expect: false	invalid value (boolean) at index 1 in table for 'concat'
print(pcall(table.concat, {}, {}))
-- expect: false	bad argument #2 to 'table.concat' (string expected, got table)
print(pcall(table.concat, 'x'))
-- expect: false	bad argument #1 to 'table.concat' (table expected, got string)
print(pcall(table.concat))  -- expect: false	bad argument #1 to 'table.concat' (table expected, got no value)
print(table.concat(setmetatable({}, {__index = function(_, i) return 'v' .. i end, __len = function() return 3 end}), '-'))
-- expect: v1-v2-v3
print(#table.concat((function() local t = {} for i = 1, 1000 do t[i] = i end return t end)(), ','))
-- expect: 3892
print(table.concat({[3] = 'c', [4] = 'd'}, ',', 3, 4), table.concat({'x'}, ',', 1, 1), table.concat({}, 'x', math.maxinteger, math.mininteger))
-- expect: c,d	x
print(table.concat({'last'}, ',', 1, 1), pcall(table.concat, {}, ',', math.maxinteger, math.maxinteger))
-- expect: last	false	invalid value (nil) at index 9223372036854775807 in table for 'concat'
local mixed = {"a", 1, "b", 2.5}
print(table.concat(mixed, "-"), table.concat({1, 2, 3}, "+"), table.concat({0.5, 1.5}, "+"), pcall(table.concat, {"a", nil, "c"}))
-- expect: a-1-b-2.5	1+2+3	0.5+1.5	false	invalid value (nil) at index 2 in table for 'concat'
print(pcall(table.concat, {"a", "b"}, ",", 0, 2))  -- expect: false	invalid value (nil) at index 0 in table for 'concat'
