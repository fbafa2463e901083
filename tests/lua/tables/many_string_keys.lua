-- Tables with more fields than any fixed layout holds, added, removed and added again.
local t = {}
for i = 1, 2000 do t['field' .. i] = i end
local sum = 0
for i = 1, 2000 do sum = sum + t['field' .. i] end
print(sum, t.field1, t.field2000, t.field2001)  -- expect: 2001000	1	2000	nil
for i = 1, 2000, 2 do t['field' .. i] = nil end
local count = 0
for _ in pairs(t) do count = count + 1 end
print(count, t.field1, t.field2)  -- expect: 1000	nil	2
for i = 1, 2000, 2 do t['field' .. i] = -i end
print(t.field1, t.field1999, t.field2)  -- expect: -1	-1999	2
local a, b = {x = 1, y = 2}, {y = 1, x = 2}
a.z, b.z = 3, 4
a.x = nil
print(a.x, a.y, a.z, b.x, b.y, b.z)  -- expect: nil	2	3	2	1	4
a.x = 'again'
print(a.x, b.x)  -- expect: again	2
