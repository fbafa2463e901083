-- Every value but nil and nan can be a key; identity decides for objects.
local key_table, key_function, key_thread = {}, function() end, coroutine.create(print)
local t = {[key_table] = 1, [key_function] = 2, [key_thread] = 3, [true] = 4, [false] = 5, [1.5] = 6, [io.stdout] = 7}
print(t[key_table], t[key_function], t[key_thread], t[true], t[false], t[1.5], t[io.stdout], t[{}], t[nil])
-- expect: 1	2	3	4	5	6	7	nil	nil
t[key_table] = nil
print(t[key_table], t[key_function])  -- expect: nil	2
local copy = {}
for i = 1, 300 do local k = {} copy[i] = k t[k] = i end
local ok = true
for i = 1, 300 do ok = ok and t[copy[i]] == i end
print(ok)  -- expect: true
