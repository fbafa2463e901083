-- More than 64k constants of every kind, jumps over long code, large tables.
-- not under: gc-stress (allocates much)
-- long under: baseline-profiled (the report of so many paths takes seconds; profiled has it)
local parts = {'local t = {}'}
for i = 1, 70000 do parts[#parts + 1] = ('t[%d] = "s%d"'):format(i, i) end
parts[#parts + 1] = 'return t'
local t = load(table.concat(parts, '\n'))()
print(#t, t[1], t[256], t[65536], t[70000])  -- expect: 70000	s1	s256	s65536	s70000
parts = {'local x = ... local s = 0'}
for i = 1, 40000 do parts[#parts + 1] = ('if x == %d.5 then s = s + %d end'):format(i, i) end
parts[#parts + 1] = 'return s'
print(load(table.concat(parts, '\n'))(33333.5))  -- expect: 33333
parts = {'local n = 0 for i = 1, 3 do'}
for i = 1, 50000 do parts[#parts + 1] = 'n = n + i' end
parts[#parts + 1] = 'end return n'
print(load(table.concat(parts, '\n'))())  -- expect: 300000
parts = {'local t = {}'}
for i = 1, 300 do parts[#parts + 1] = ('t.field%d = %d; t.field%d = t.field%d + 0.5'):format(i, i, i, i) end
parts[#parts + 1] = 'return t'
t = load(table.concat(parts, '\n'))()
print(t.field1, t.field255, t.field256, t.field257, t.field300)  -- expect: 1.5	255.5	256.5	257.5	300.5
parts = {'local t = {f = function(self, x) return x end}; local r = 0'}
for i = 1, 300 do parts[#parts + 1] = ('t.m%d = t.f; r = r + t:m%d(%d)'):format(i, i, i) end
parts[#parts + 1] = 'return r'
print(load(table.concat(parts, '\n'))())  -- expect: 45150
