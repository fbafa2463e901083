-- group: branchy
-- A UTF-8 decoder that checks everything: the length of one character foretells the next, as in real text.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local byte = string.byte

local text = ("The quick brown fox. "):rep(8)
  .. ("Съешь же ещё этих мягких французских булок. "):rep(6)
  .. ("いろはにほへと ちりぬるを "):rep(6)
  .. ("mixed: naïve café, 5 €, π ≈ 3.14, 🌊🌙 "):rep(8)
if train then text = "The quick naïve fox. ешь. " else text = text:rep(4) end
text = text .. "\255 \192\128 \237\160\128 \226\130"   -- and a few malformed bytes at the end

--- Returns the number of characters, the number of errors and a checksum of the code points.
local function decode(s)
  local characters, errors, checksum = 0, 0, 0
  local i, length = 1, #s
  while i <= length do
    local first = byte(s, i)
    local code, more, least
    if first < 128 then
      code, more, least = first, 0, 0
    elseif first < 194 then
      code = nil
    elseif first < 224 then
      code, more, least = first - 192, 1, 128
    elseif first < 240 then
      code, more, least = first - 224, 2, 2048
    elseif first < 245 then
      code, more, least = first - 240, 3, 65536
    end
    i = i + 1
    if code then
      for _ = 1, more do
        local continuation = byte(s, i)
        if not continuation or continuation < 128 or continuation > 191 then
          code = nil
          break
        end
        code = code * 64 + continuation - 128
        i = i + 1
      end
    end
    if code and code >= least and code < 1114112 and not (code >= 55296 and code < 57344) then
      characters = characters + 1
      checksum = (checksum + code) % 1000003
    else
      errors = errors + 1
    end
  end
  return characters * 1000 + errors, checksum
end

for _ = 1, math.max(1, math.floor(2200 * scale)) do
  local counts, checksum = decode(text)
  assert(counts == (train and 29005 or 3251005) and checksum == (train and 5449 or 414241))
end
