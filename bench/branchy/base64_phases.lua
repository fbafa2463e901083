-- A decoder of base64 that takes one character in each iteration; which of four it is, is in a local.
-- Its twin takes four.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local value_of = {}
do
  local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  for i = 1, 64 do value_of[byte(alphabet, i)] = i - 1 end
end

local text
do
  local alphabet, characters, seed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", {}, 5
  for i = 1, 16000 do
    seed = seed * 16807 % 2147483647
    local at = seed % 64 + 1
    characters[i] = alphabet:sub(at, at)
  end
  text = table.concat(characters)
end

local function decode(s)
  local out, count, phase, kept = {}, 0, 0, 0
  for i = 1, #s do
    local v = value_of[byte(s, i)]
    if phase == 0 then
      kept = v
      phase = 1
    elseif phase == 1 then
      count = count + 1
      out[count] = kept << 2 | v >> 4
      kept = v & 15
      phase = 2
    elseif phase == 2 then
      count = count + 1
      out[count] = kept << 4 | v >> 2
      kept = v & 3
      phase = 3
    else
      count = count + 1
      out[count] = kept << 6 | v
      phase = 0
    end
  end
  return out
end

local function decode_by_hand(s)
  local out, count = {}, 0
  for i = 1, #s, 4 do
    local a, b, c, d = value_of[byte(s, i)], value_of[byte(s, i + 1)], value_of[byte(s, i + 2)], value_of[byte(s, i + 3)]
    out[count + 1] = a << 2 | b >> 4
    out[count + 2] = (b & 15) << 4 | c >> 2
    count = count + 3
    out[count] = (c & 3) << 6 | d
  end
  return out
end

local run, result = which == "twin" and decode_by_hand or decode, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do
  local bytes = run(text)
  result = #bytes * 1000000 + bytes[1] * 1000 + bytes[#bytes]
end
assert(result == 12000015020)
return result
