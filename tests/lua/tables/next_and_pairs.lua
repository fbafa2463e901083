-- Traversal visits each key once; clearing fields while traversing is allowed (manual 6.1, next).
local t = {}
for i = 1, 20 do t[i] = i; t['k' .. i] = i end
local count, sum = 0, 0
for k, v in pairs(t) do count, sum = count + 1, sum + v; t[k] = nil end
print(count, sum, next(t))  -- expect: 40	420	nil
for k, v in pairs{10, 20, 30} do io.write(k, '=', v, ' ') end
print()  -- expect: 1=10 2=20 3=30
for k, v in next, {5} do print(k, v) end  -- expect: 1	5
print(next({}), next({7}), next({7}, 1), rawlen({1, 2}))  -- expect: nil	1	nil	2
print(pcall(next, {}, 'missing'))  -- expect: false	invalid key to 'next'
print(pcall(next, {1, 2}, 3))  -- expect: false	invalid key to 'next'
print(pcall(next, nil))  -- expect: false	bad argument #1 to 'next' (table expected, got nil)
print(pcall(pairs))  -- expect: false	bad argument #1 to 'pairs' (value expected)
t = {1, 2, 3, x = 1, y = 2}
local keys = {}
for k in pairs(t) do keys[#keys + 1] = tostring(k); t[k] = 'changed' end
table.sort(keys)
print(table.concat(keys, ' '))  -- expect: 1 2 3 x y
-- A float is no key to go on from, even where it is equal to one.
print(pcall(next, {10, 20, 30}, 2), pcall(next, {10, 20, 30}, 2.0))  -- expect: true	false	invalid key to 'next'
print(pcall(next, {n = 1, [2] = 2}, 2.0))  -- expect: false	invalid key to 'next'
print(pcall(next, {[1.5] = 1}, 1.5))  -- expect: true	nil
print(pcall(function() for k in next, {10, 20}, 1.0 do print(k) end end))  -- expect: false	invalid key to 'next'
