-- Arrays of integers, floats and mixed values behave the same; types never change by storage.
local function show(t) local out = {} for i = 1, #t do out[i] = tostring(t[i]) end print(table.concat(out, ' ')) end
local t = {1, 2, 3}
show(t) t[2] = 2.5 show(t) t[1] = 'x' show(t) t[3] = true show(t)
-- expect: 1 2 3
-- expect: 1 2.5 3
-- expect: x 2.5 3
-- expect: x 2.5 true
t = {1.0, 2.0, 3.0}
show(t) t[2] = 2 show(t) print(math.type(t[1]), math.type(t[2]))
-- expect: 1.0 2.0 3.0
-- expect: 1.0 2 3.0
-- expect: float	integer
t = {}
for i = 1, 5 do t[i] = i end
for i = 6, 10 do t[i] = i + 0.0 end
show(t)  -- expect: 1 2 3 4 5 6.0 7.0 8.0 9.0 10.0
for i = 1, 10 do t[i] = t[i] + 0.5 end
show(t)  -- expect: 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5
for i = 1, 10 do t[i] = (t[i] - 0.5) // 1 | 0 end
show(t)  -- expect: 1 2 3 4 5 6 7 8 9 10
t = {1, 2, 3, 4}
t[3] = nil
print(t[1], t[2], t[3], t[4])  -- expect: 1	2	nil	4
t[3] = 'back'
show(t)  -- expect: 1 2 back 4
t = {0.0, -0.0, 1/0, -1/0}
show(t)  -- expect: 0.0 -0.0 inf -inf
