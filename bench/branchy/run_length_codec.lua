-- Decodes a stream of runs and literals: a byte says which it is, a byte how long, then come the bytes. What is expected next is in a
-- local, how much of it is left in another. Its twin has a loop for each.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte, char = string.byte, string.char

local text
do
  local parts, seed = {}, 3
  for i = 1, 1500 do
    seed = seed * 16807 % 2147483647
    local length = seed % 13 + 1
    if i % 3 == 0 then
      parts[#parts + 1] = char(1, length, seed % 200)
    else
      parts[#parts + 1] = char(0, length)
      for j = 1, length do parts[#parts + 1] = char((seed + j * j) % 256) end
    end
  end
  text = table.concat(parts)
end

local function decode(s)
  local expects, is_run, left, count, sum = "kind", false, 0, 0, 0
  for i = 1, #s do
    local c = byte(s, i)
    if expects == "kind" then
      is_run = c == 1
      expects = "length"
    elseif expects == "length" then
      left = c
      expects = is_run and "value" or "literal"
    elseif expects == "value" then
      count = count + left
      sum = (sum + c * left) % 65521
      expects = "kind"
    else
      count = count + 1
      sum = (sum + c) % 65521
      left = left - 1
      if left == 0 then expects = "kind" end
    end
  end
  return count * 100000 + sum
end

local function decode_by_hand(s)
  local count, sum, i, n = 0, 0, 1, #s
  while i < n do
    local kind, left = byte(s, i), byte(s, i + 1)
    i = i + 2
    if kind == 1 then
      count = count + left
      sum = (sum + byte(s, i) * left) % 65521
      i = i + 1
    else
      for j = i, i + left - 1 do
        count = count + 1
        sum = (sum + byte(s, j)) % 65521
      end
      i = i + left
    end
  end
  return count * 100000 + sum
end

local run, result = which == "twin" and decode_by_hand or decode, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(text) end
assert(result == 1050703370)
return result
