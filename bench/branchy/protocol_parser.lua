-- Takes messages from a stream, byte by byte: a mark, a kind, a length of two bytes, the content, a checksum. What comes next is in a
-- local. Its twin reads a message from its beginning to its end.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte, char = string.byte, string.char

local stream
do
  local parts, seed = {}, 9
  for i = 1, 700 do
    seed = seed * 16807 % 2147483647
    local length, content, sum = seed % 24, {}, 0
    for j = 1, length do
      local c = (seed + j * 31) % 256
      content[j] = char(c)
      sum = sum + c
    end
    if i % 50 == 0 then sum = sum + 1 end
    if i % 35 == 0 then parts[#parts + 1] = "\0\0" end
    parts[#parts + 1] = char(0x7e, i % 3, length // 256, length % 256) .. table.concat(content) .. char(sum % 256)
  end
  stream = table.concat(parts)
end

local function parse(s)
  local expects, kind, left, sum = 0, 0, 0, 0
  local messages, bad, skipped, total = 0, 0, 0, 0
  for i = 1, #s do
    local c = byte(s, i)
    if expects == 0 then
      if c == 0x7e then expects = 1 else skipped = skipped + 1 end
    elseif expects == 1 then
      kind = c
      expects = 2
    elseif expects == 2 then
      left = c << 8
      expects = 3
    elseif expects == 3 then
      left = left | c
      sum = 0
      if left == 0 then expects = 5 else expects = 4 end
    elseif expects == 4 then
      sum = sum + c
      left = left - 1
      if left == 0 then expects = 5 end
    else
      if c == sum & 255 then
        messages = messages + 1
        total = total + sum * (kind + 1)
      else
        bad = bad + 1
      end
      expects = 0
    end
  end
  return messages * 1000000 + bad * 10000 + skipped * 100 + total
end

local function parse_by_hand(s)
  local messages, bad, skipped, total, i, n = 0, 0, 0, 0, 1, #s
  while i <= n do
    if byte(s, i) == 0x7e then
      local kind, left, sum = byte(s, i + 1), byte(s, i + 2) << 8 | byte(s, i + 3), 0
      i = i + 4
      for j = i, i + left - 1 do sum = sum + byte(s, j) end
      i = i + left
      if byte(s, i) == sum & 255 then
        messages = messages + 1
        total = total + sum * (kind + 1)
      else
        bad = bad + 1
      end
    else
      skipped = skipped + 1
    end
    i = i + 1
  end
  return messages * 1000000 + bad * 10000 + skipped * 100 + total
end

local run, result = which == "twin" and parse_by_hand or parse, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(stream) end
assert(result == 688060988)
return result
