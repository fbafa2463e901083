-- Filling upwards, downwards, with gaps; clearing; the border stays a border.
local t = {}
for i = 1, 1000 do t[i] = i end
print(#t, t[1], t[500], t[1000], t[1001])  -- expect: 1000	1	500	1000	nil
for i = 1000, 1, -1 do t[i] = nil end
print(#t, next(t))  -- expect: 0	nil
t = {}
for i = 100, 1, -1 do t[i] = i end
print(#t)  -- expect: 100
t = {}
for i = 2, 64, 2 do t[i] = i end
for i = 1, 63, 2 do t[i] = i end
print(#t)  -- expect: 64
t = {1, 2, 3}
t[#t + 1] = 4
t[#t] = nil
t[#t] = nil
print(#t, t[3], t[2])  -- expect: 2	nil	2
t = {[1000000] = 1}
print(#t, t[1000000])  -- expect: 0	1
t[math.maxinteger] = 'max' t[math.mininteger] = 'min' t[0] = 0 t[-1] = -1
print(t[math.maxinteger], t[math.mininteger], t[0], t[-1])  -- expect: max	min	0	-1
