-- group: papers
-- Packs text by a growing dictionary of strings (LZW) into codes of growing width, and unpacks it again. With `train` as
-- the second argument the text is short and repeats itself.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local byte, char, sub, concat = string.byte, string.char, string.sub, table.concat

local syllables = { "ka", "ri", "mo", "nu", "tse", "lo", "bi", "dra", " ", ". " }
local function text_of(length, seed)
  local pieces = {}
  for i = 1, length do
    seed = seed * 16807 % 2147483647
    pieces[i] = syllables[seed % (train and 4 or 10) + 1]
  end
  return concat(pieces)
end

local reset, first_free, widest = 256, 257, 11

local function new_writer() return { bytes = {}, rest = 0, bits = 0 } end
local function put(writer, code, width)
  writer.rest = writer.rest + code * 2 ^ writer.bits
  writer.bits = writer.bits + width
  while writer.bits >= 8 do
    writer.bytes[#writer.bytes + 1] = char(writer.rest % 256)
    writer.rest = math.floor(writer.rest / 256)
    writer.bits = writer.bits - 8
  end
end
local function finish(writer)
  if writer.bits > 0 then writer.bytes[#writer.bytes + 1] = char(writer.rest % 256) end
  return concat(writer.bytes)
end

local function pack(text)
  local writer, codes, free, width = new_writer(), {}, first_free, 9
  local known, code = "", nil
  for i = 1, #text do
    local c = sub(text, i, i)
    local longer = known .. c
    if #longer == 1 then
      known, code = longer, byte(c)
    elseif codes[longer] then
      known, code = longer, codes[longer]
    else
      put(writer, code, width)
      if free < 2 ^ widest then
        codes[longer] = free
        free = free + 1
        if free > 2 ^ width and width < widest then width = width + 1 end
      else
        put(writer, reset, width)
        codes, free, width = {}, first_free, 9
      end
      known, code = c, byte(c)
    end
  end
  if code then put(writer, code, width) end
  return finish(writer)
end

local function unpack_text(packed)
  local at, rest, bits, strings, free, width = 1, 0, 0, {}, first_free, 9
  local pieces, previous = {}, nil
  while true do
    while bits < width and at <= #packed do
      rest = rest + byte(packed, at) * 2 ^ bits
      bits = bits + 8
      at = at + 1
    end
    if bits < width then break end
    local code = rest % 2 ^ width
    rest = math.floor(rest / 2 ^ width)
    bits = bits - width
    if code == reset then
      strings, free, width, previous = {}, first_free, 9, nil
    else
      local known
      if code < reset then known = char(code)
      elseif strings[code] then known = strings[code]
      else known = previous .. sub(previous, 1, 1) end
      if previous and free < 2 ^ widest then
        strings[free] = previous .. sub(known, 1, 1)
        free = free + 1
      end
      if previous and free + 1 > 2 ^ width and width < widest then width = width + 1 end
      pieces[#pieces + 1] = known
      previous = known
    end
  end
  return concat(pieces)
end

local text = text_of(train and 1500 or 6000, train and 3 or 17)
for _ = 1, math.max(1, math.floor(70 * scale)) do
  local packed = pack(text)
  assert(#packed < #text)
  assert(unpack_text(packed) == text)
end
