-- group: branchy
-- Base64 there and back, a byte at a time: the state of the loop counts to three one way and to four the
-- other.
local scale = tonumber((...)) or 1
local byte, char, floor = string.byte, string.char, math.floor

local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local digit_of, letter_of = {}, {}
for i = 1, 64 do
  letter_of[i - 1] = alphabet:sub(i, i)
  digit_of[alphabet:byte(i)] = i - 1
end

local function encode(data)
  local out, size, phase, left = {}, 0, 0, 0
  for i = 1, #data do
    local value = byte(data, i)
    if phase == 0 then
      out[size + 1] = letter_of[floor(value / 4)]
      left, phase = value % 4, 1
    elseif phase == 1 then
      out[size + 1] = letter_of[left * 16 + floor(value / 16)]
      left, phase = value % 16, 2
    else
      out[size + 1] = letter_of[left * 4 + floor(value / 64)]
      size = size + 1
      out[size + 1] = letter_of[value % 64]
      phase = 0
    end
    size = size + 1
  end
  if phase == 1 then
    out[size + 1] = letter_of[left * 16] .. "=="
  elseif phase == 2 then
    out[size + 1] = letter_of[left * 4] .. "="
  end
  return table.concat(out)
end

local function decode(text)
  local out, size, phase, left = {}, 0, 0, 0
  for i = 1, #text do
    local letter = byte(text, i)
    local value = digit_of[letter]
    if not value then
      if letter == 61 then break end   -- padding; anything else that is no digit is skipped
    elseif phase == 0 then
      left, phase = value, 1
    else
      size = size + 1
      if phase == 1 then
        out[size] = char(left * 4 + floor(value / 16))
        left, phase = value % 16, 2
      elseif phase == 2 then
        out[size] = char(left * 16 + floor(value / 4))
        left, phase = value % 4, 3
      else
        out[size] = char(left * 64 + value)
        phase = 0
      end
    end
  end
  return table.concat(out)
end

local function make_data(length)
  local bytes, seed = {}, 3
  for i = 1, length do
    seed = seed * 16807 % 2147483647
    bytes[i] = char(seed % 256)
  end
  return table.concat(bytes)
end

local data = make_data(10001)
assert(encode("Many hands make light work.") == "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu")

for _ = 1, math.max(1, math.floor(320 * scale)) do
  local text = encode(data)
  assert(#text == 13336)
  assert(decode(text) == data)
end
