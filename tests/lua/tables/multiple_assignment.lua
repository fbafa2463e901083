-- All expressions are evaluated before the assignment (manual 3.3.3).
local a, b, c = 1, 2
print(a, b, c)  -- expect: 1	2	nil
a, b = b, a
print(a, b)  -- expect: 2	1
local i, t = 1, {}
i, t[i] = i + 1, 20
print(i, t[1], t[2])  -- expect: 2	20	nil
local x, y, z = (function() return 1, 2, 3 end)()
print(x, y, z)  -- expect: 1	2	3
x, y, z = 0, (function() return 1, 2, 3 end)()
print(x, y, z)  -- expect: 0	1	2
x, y, z = (function() return 1, 2, 3 end)(), 10
print(x, y, z)  -- expect: 1	10	nil
local p = {q = {}}
p.q.r, p.q = 1, {r = 2}
print(p.q.r)  -- expect: 2
do local a = {1, 2, 3} local i = 1; i, a[i], a[i + 1] = 2, 'A', 'B' print(i, a[1], a[2]) end  -- expect: 2	A	B
a, a = 1, 2
print(type(a))  -- expect: number
