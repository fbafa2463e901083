-- string.byte with all its results wanted: outside the string it has none, which is not the same as nil.
local byte, select = string.byte, select
local function is_digit(...)
  local b = ...
  return select('#', ...), b ~= nil and b >= 48 and b <= 57
end
local function of_one(b) return b == nil end
local function last(s, i) return byte(s, i) end
local function count(s, n)
  local digits, none, nils, listed, missing, passed = 0, 0, 0, 0, 0, 0
  for i = 1, n do
    local at = i % 8
    local results, yes = is_digit(byte(s, at))
    if yes then digits = digits + 1 end
    if results == 0 then none = none + 1 end
    if of_one(byte(s, at)) then nils = nils + 1 end
    local list = { at, byte(s, at) }
    listed = listed + #list
    if last(s, at) == nil then missing = missing + 1 end
    passed = passed + select('#', last(s, at)) + select('#', (last(s, at)))
  end
  return digits, none, nils, listed, missing, passed
end
local first, same
for _ = 1, os.getenv("ROUNDS") == "few" and 2 or 12 do
  local now = table.concat({count('a1b2c', 3000)}, '\t')
  first = first or now
  same = same ~= false and now == first
end
print(first, same)
print(count('1234567', 3000))
print(count('', 3000))
-- expect: 750	1125	1125	4875	1125	4875	true
-- expect: 2625	375	375	5625	375	5625
-- expect: 0	3000	3000	3000	3000	3000
