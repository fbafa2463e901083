-- Long lists of one type, sorted without a comparator: above some length they are partitioned in pieces.
local function check(name, t, n)
  local sum, min, max = 0, t[1], t[1]
  local is_number = type(t[1]) == "number"
  if is_number then for i = 1, n do sum = sum + t[i] end end
  table.sort(t)
  if #t ~= n then error(name) end
  local after = 0
  for i = 1, n do
    if is_number then after = after + t[i] end
    if i > 1 and t[i] < t[i - 1] then error(name) end
  end
  if sum ~= after then error(name) end
end

local function filled(n, value)
  local t = {}
  for i = 1, n do t[i] = value(i) end
  return t
end

local seed = 42
local function random() seed = (seed * 16807) % 2147483647 return seed end
local names = {}
for i = 1, 50 do names[i] = "name " .. i * 7919 % 101 end

for _, n in ipairs { 16384, 16385, 33000, 70001 } do
  check("random", filled(n, random), n)
  check("ascending", filled(n, function(i) return i end), n)
  check("descending", filled(n, function(i) return -i end), n)
  check("equal", filled(n, function() return 7 end), n)
  check("two values", filled(n, function(i) return i % 2 end), n)
  check("organ pipes", filled(n, function(i) return i < n - i and i or n - i end), n)
  check("sorted but for the end", filled(n, function(i) return i == n and 1 or i end), n)
  check("floats", filled(n, function() return random() / 64 end), n)
  check("halves", filled(n, function(i) return (i * 7919 % n) + 0.5 end), n)
  check("strings", filled(n, function(i) return names[i * 31 % 50 + 1] end), n)
end
local t = filled(20000, function(i) return names[i * 31 % 50 + 1] end)
table.sort(t)
print(t[1], t[400], t[401], t[20000])  -- expect: name 100	name 100	name 12	name 97
-- Not a number makes a list of floats one that is sorted by comparing.
t = filled(17000, function(i) return i == 9000 and -0.0 or (i * 7919 % 17000) / 4 end)
table.sort(t)
print(t[1], t[17000])  -- expect: 0.0	4249.75
