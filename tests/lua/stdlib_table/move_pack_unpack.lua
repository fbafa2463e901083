-- move with overlaps and metamethods; pack; unpack.
print(table.concat(table.move({1, 2, 3, 4, 5}, 2, 4, 1), ','), table.concat(table.move({1, 2, 3, 4, 5}, 1, 4, 2), ','))
-- expect: 2,3,4,4,5	1,1,2,3,4
print(table.concat(table.move({1, 2, 3}, 1, 3, 1, {}), ','), table.concat(table.move({1, 2, 3}, 2, 3, 3, {'a', 'b'}), ','), #table.move({1, 2, 3}, 1, 0, 5))
-- expect: 1,2,3	a,b,2,3	3
local log = {}
local p = setmetatable({}, {__index = function(_, i) log[#log + 1] = 'r' .. i return i end, __newindex = function(_, i, v) log[#log + 1] = 'w' .. i end})
table.move(p, 1, 3, 2)
print(table.concat(log, ' '))  -- expect: r3 w4 r2 w3 r1 w2
print(pcall(table.move, {}, 1, math.maxinteger, 2))
-- expect: false	bad argument #4 to 'table.move' (destination wrap around)
print(pcall(table.move, {}, 0, math.maxinteger, 1))
-- expect: false	bad argument #3 to 'table.move' (too many elements to move)
print(pcall(table.move, {}, math.mininteger, 0, 1))
-- expect: false	bad argument #3 to 'table.move' (too many elements to move)
print(pcall(table.move, 1, 2, 3, 4))
-- expect: false	bad argument #1 to 'table.move' (table expected, got number)
print(pcall(table.move, {}, 1, 2, 3, 4))
-- expect: false	bad argument #5 to 'table.move' (table expected, got number)
print(table.move({1, 2}, 1, 2, math.maxinteger - 1)[math.maxinteger])  -- expect: 2
local t = table.pack(1, nil, 3)
print(t.n, t[1], t[2], t[3], table.pack().n, select('#', table.unpack(t, 1, t.n)))  -- expect: 3	1	nil	3	0	3
print(table.unpack({1, 2, 3}, -1, 1))  -- expect: nil	nil	1
print(pcall(table.unpack, 5))  -- expect: false	attempt to get length of a number value
print(table.unpack('abc', 1, 2))  -- expect: nil	nil
print(select('#', table.unpack({}, 1, 0)), select('#', table.unpack({}, 5, 1)), (table.unpack({'x', 'y'}, 2)))
-- expect: 0	0	y
