-- sort: numbers, strings, comparators, errors of invalid comparators and elements (manual 6.6).
local function sorted(t, f) table.sort(t, f) return table.concat(t, ' ') end
print(sorted{3, 1, 2}, sorted{}, sorted{1}, sorted{2, 1}, sorted{5, 5, 5}, sorted{1.5, 1, -1, 0.5})
-- expect: 1 2 3		1	1 2	5 5 5	-1 0.5 1 1.5
print(sorted({3, 1, 2}, function(a, b) return a > b end), sorted{'b', 'a', 'C', 'B'}, sorted({'bb', 'a', 'ccc'}, function(a, b) return #a < #b end))
-- expect: 3 2 1	B C a b	a bb ccc
local big = {}
local x = 42
for i = 1, 2000 do x = (x * 1103515245 + 12345) % 2147483648 big[i] = x end
table.sort(big)
local ok = true
for i = 2, #big do ok = ok and big[i - 1] <= big[i] end
print(ok)  -- expect: true
for _, make in ipairs{function(i) return i end, function(i) return -i end, function(i) return i % 10 end, function() return 1 end} do
  local t = {}
  for i = 1, 500 do t[i] = make(i) end
  table.sort(t)
  ok = ok
  for i = 2, #t do ok = ok and t[i - 1] <= t[i] end
end
print(ok)  -- expect: true
print(pcall(table.sort, {1, 'x', 2}))  -- expect: false	attempt to compare string with number
print(pcall(table.sort, {{}, {}}))  -- expect: false	attempt to compare two table values
print(pcall(table.sort, {1, 2}, 5))
-- expect: false	bad argument #2 to 'table.sort' (function expected, got number)
print(pcall(table.sort, {3, 2, 1, 4, 5}, function() error('in comparator', 0) end))
-- expect: false	in comparator
print(pcall(table.sort, 5))  -- expect: false	bad argument #1 to 'table.sort' (table expected, got number)
print((select(2, pcall(table.sort, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, function() return true end))))
-- expect: invalid order function for sorting
local objects = {}
for _, n in ipairs{5, 3, 9, 1} do objects[#objects + 1] = setmetatable({n = n}, {__lt = function(a, b) return a.n < b.n end}) end
table.sort(objects)
for _, o in ipairs(objects) do io.write(o.n, ' ') end
print()  -- expect: 1 3 5 9
print(pcall(table.sort, setmetatable({}, {__len = function() return math.maxinteger end})))
-- expect: false	bad argument #1 to 'table.sort' (array too big)
local words = {}
for w in ('the quick brown fox jumps over the lazy dog'):gmatch('%a+') do words[#words + 1] = w end
print(sorted(words), sorted(words, function(a, b) return a > b end))
-- expect: brown dog fox jumps lazy over quick the the	the the quick over lazy jumps fox dog brown
