-- group: kinds
-- A decompressor: bits from a string, canonical Huffman codes built from lengths and read bit by bit, copies out of a window. The data is made by a
-- small compressor below, which codes literals and pairs of length and distance.
local scale = tonumber((...)) or 1
local byte, char, concat, unpack = string.byte, string.char, table.concat, table.unpack or unpack

local END, LEAST_MATCH = 256, 3

--- Codes of the given lengths, as deflate assigns them: code[symbol], and counts by length with symbols in order.
local function canonical(lengths, last)
  local count, first, code = {}, {}, {}
  for length = 0, 15 do count[length] = 0 end
  for symbol = 0, last do count[lengths[symbol]] = count[lengths[symbol]] + 1 end
  count[0] = 0
  local next_code = 0
  for length = 1, 15 do
    next_code = (next_code + count[length - 1]) * 2
    first[length] = next_code
  end
  local symbols = {}
  for length = 1, 15 do
    for symbol = 0, last do
      if lengths[symbol] == length then
        code[symbol] = first[length]
        first[length] = first[length] + 1
        symbols[#symbols + 1] = symbol
      end
    end
  end
  return code, count, symbols
end

local lengths = {}
for symbol = 0, 319 do lengths[symbol] = symbol < 128 and 8 or symbol < 256 and 9 or symbol == END and 9 or 8 end
for symbol = 257, 319 do lengths[symbol] = 9 end
local code, count, symbols = canonical(lengths, 319)

local function compress(text)
  local bits, last_seen = {}, {}
  local function put(value, width)
    for i = width - 1, 0, -1 do bits[#bits + 1] = (value >> i) & 1 end
  end
  local i = 1
  while i <= #text do
    local key = text:sub(i, i + LEAST_MATCH - 1)
    local from, length = last_seen[key], 0
    if #key == LEAST_MATCH and from and i - from < 4096 then
      while length < 62 and i + length <= #text and byte(text, from + length) == byte(text, i + length) do length = length + 1 end
    end
    last_seen[key] = i
    if length >= LEAST_MATCH then
      put(code[257 + length], lengths[257 + length])
      put(i - from, 12)
      i = i + length
    else
      put(code[byte(text, i)], lengths[byte(text, i)])
      i = i + 1
    end
  end
  put(code[END], lengths[END])
  while #bits % 8 ~= 0 do bits[#bits + 1] = 0 end
  local out = {}
  for at = 1, #bits, 8 do
    local value = 0
    for k = at, at + 7 do value = value * 2 + bits[k] end
    out[#out + 1] = char(value)
  end
  return concat(out)
end

local function reader(data)
  local self = { data = data, at = 0, held = 0, left = 0 }
  function self:bit()
    if self.left == 0 then
      self.at = self.at + 1
      self.held, self.left = byte(self.data, self.at), 8
    end
    self.left = self.left - 1
    return (self.held >> self.left) & 1
  end
  function self:bits(width)
    local value = 0
    for _ = 1, width do value = value * 2 + self:bit() end
    return value
  end
  return self
end

local function decode_symbol(input)
  local value, first, index = 0, 0, 0
  for length = 1, 15 do
    value = value + input:bit()
    local n = count[length]
    if value - n < first then return symbols[index + (value - first) + 1] end
    index, first = index + n, (first + n) * 2
    value = value * 2
  end
  error "a code that is not assigned"
end

local function decompress(data)
  local input, out, size = reader(data), {}, 0
  while true do
    local symbol = decode_symbol(input)
    if symbol < END then
      size = size + 1
      out[size] = symbol
    elseif symbol == END then
      break
    else
      local length, distance = symbol - 257, input:bits(12)
      for _ = 1, length do
        size = size + 1
        out[size] = out[size - distance]
      end
    end
  end
  local parts = {}
  for i = 1, size, 256 do parts[#parts + 1] = char(unpack(out, i, math.min(i + 255, size))) end
  return concat(parts)
end

local words, seed, text = { "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do" }, 42, {}
for i = 1, 4000 do
  seed = (seed * 1103515245 + 12345) % 2147483648
  text[i] = words[seed // 65536 % #words + 1] .. (seed % 7 == 0 and tostring(seed % 1000) or "")
end
text = concat(text, " ")
local data = compress(text)
local same = 0
for _ = 1, math.ceil(12 * scale) do
  if decompress(data) == text then same = same + 1 end
end
print(#text, #data, same)
