-- {...}, table.pack, table.unpack keep nils and counts.
local function pack(...) return {n = select('#', ...), ...} end
local t = pack(1, nil, 3, nil)
print(t.n, t[1], t[2], t[3], t[4])  -- expect: 4	1	nil	3	nil
t = table.pack()
print(t.n, #t)  -- expect: 0	0
t = table.pack(nil, nil)
print(t.n)  -- expect: 2
print(table.unpack({1, 2, 3}))  -- expect: 1	2	3
print(table.unpack({1, 2, 3}, 2))  -- expect: 2	3
print(table.unpack({1, 2, 3}, 2, 3))  -- expect: 2	3
print(table.unpack({1, 2, 3}, 0, 4))  -- expect: nil	1	2	3	nil
print(table.unpack({}, 1, 3))  -- expect: nil	nil	nil
print(select('#', table.unpack({n = 3}, 1, 3)), table.unpack({1, 2}, 5, 4))  -- expect: 3
print(pcall(table.unpack, {}, 1, 1e7))  -- expect: false	too many results to unpack
print(pcall(table.unpack, {}, math.mininteger, math.maxinteger))  -- expect: false	too many results to unpack
print(pcall(table.unpack, {}, 1, math.maxinteger))  -- expect: false	too many results to unpack
print(table.unpack({1, 2}, math.maxinteger, math.maxinteger))  -- expect: nil
print(pcall(table.unpack))  -- expect: false	attempt to get length of a nil value
print((table.unpack({1, 2, 3})))  -- expect: 1
print(table.unpack(setmetatable({}, {__index = function(_, i) return i * i end}), 1, 4))  -- expect: 1	4	9	16
