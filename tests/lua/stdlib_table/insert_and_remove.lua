-- insert and remove at all positions, with metamethods, and their errors (manual 6.6).
local t = {1, 2, 3}
table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 3, 'mid') table.insert(t, #t + 1, 'end')
print(table.concat(t, ','))  -- expect: 0,1,mid,2,3,4,end
print(table.remove(t), table.remove(t, 1), table.remove(t, 2), table.concat(t, ','))
-- expect: end	0	mid	1,2,3,4
print(table.remove({}), table.remove({}, 0), table.remove({}, nil), #t, table.remove(t, #t + 1), select('#', table.remove({})))
-- expect: nil	nil	nil	4	nil	1
print(pcall(table.insert, {1, 2, 3}, 6, 'x'))
-- expect: false	bad argument #2 to 'table.insert' (position out of bounds)
print(pcall(table.insert, {1, 2, 3}, 0, 'x'))
-- expect: false	bad argument #2 to 'table.insert' (position out of bounds)
print(pcall(table.insert, {1}, 1.5, 'x'))
-- expect: false	bad argument #2 to 'table.insert' (number has no integer representation)
print(pcall(table.insert, {1}))  -- expect: false	wrong number of arguments to 'insert'
print(pcall(table.insert, {1}, 1, 2, 3))  -- expect: false	wrong number of arguments to 'insert'
print(pcall(table.remove, {1, 2, 3}, 5))
-- expect: false	bad argument #2 to 'table.remove' (position out of bounds)
print(pcall(table.remove, {1, 2, 3}, -1))
-- expect: false	bad argument #2 to 'table.remove' (position out of bounds)
print(pcall(table.remove))  -- expect: false	bad argument #1 to 'table.remove' (table expected, got no value)
local log = {}
local proxy = setmetatable({}, {__len = function() return 3 end, __index = function(_, i) log[#log + 1] = 'r' .. i return i * 10 end, __newindex = function(_, i, v) log[#log + 1] = 'w' .. i .. '=' .. tostring(v) end})
table.insert(proxy, 1, 'x')
print(table.concat(log, ' '))  -- expect: r3 w4=30 r2 w3=20 r1 w2=10 w1=x
log = {}
print(table.remove(proxy, 2), table.concat(log, ' '))  -- expect: 20	r2 r3 w2=30 w3=nil
local q = {}
for i = 1, 100 do table.insert(q, i) end
local sum = 0
while #q > 0 do sum = sum + table.remove(q, 1) end
print(sum, #q)  -- expect: 5050	0
print(table.insert({}, 1))  -- expect:
t = {n = 0, [0] = 'zero'}
print(table.remove(t, 0), t[0])  -- expect: zero	nil
