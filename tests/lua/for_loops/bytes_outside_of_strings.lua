-- string.byte in hot loops, at positions of which some are outside the string: negative ones count from its end.
local byte = string.byte
local words = {}
for i = 1, 60 do words[i] = i % 3 == 0 and 'abc' or i % 3 == 1 and '' or 'z' end

local function last(n)
  local sum = 0
  for i = 1, n do sum = sum + (words[i % 60 + 1]:byte(-1) or 7) end
  return sum
end
local function given(n, position)
  local sum = 0
  for i = 1, n do sum = sum + (byte(words[i % 60 + 1], position) or 7) end
  return sum
end
local function in_turns(n)
  local sum = 0
  for i = 1, n do sum = sum + (byte(words[i % 60 + 1], i % 9 - 4) or 7) end
  return sum
end
local function how_many(n, position)
  local count = 0
  for i = 1, n do count = count + select('#', byte(words[i % 60 + 1], position)) end
  return count
end

local sums = {}
for _ = 1, os.getenv('ROUNDS') == 'few' and 3 or 20 do
  sums[1], sums[2], sums[3] = last(300), in_turns(540), last(3)
  for k, position in ipairs{ 1, 2, -1, -2, 0, -3.0, math.mininteger } do
    sums[2 * k + 2], sums[2 * k + 3] = given(300, position), how_many(300, position)
  end
end
print(table.concat(sums, ' '))
-- expect: 22800 14640 228 22600 200 11200 100 22800 200 11200 100 2100 0 11100 100 2100 0
