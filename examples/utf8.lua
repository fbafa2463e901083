-- A UTF-8 decoder that looks at one byte in each round and keeps in `missing` how many more its character needs.
--
--   mangata --profile-paths examples/utf8.lua
--   mangata --profile-paths --profile-k=3 examples/utf8.lua
--
-- Path by path, lead bytes and continuation bytes are mixed, and no round foretells the next. Over two or three rounds the
-- text shows: in Cyrillic a lead byte is followed by one continuation byte, in Japanese by two, and then by a lead byte.

local text = ("Съешь же ещё этих мягких французских булок. "):rep(20)
  .. ("いろはにほへとちりぬるを"):rep(20)
  .. ("The quick brown fox. "):rep(20)

--- How many characters there are, and a checksum of their code points.
local function decode(bytes)
  local characters, checksum = 0, 0
  local code, missing = 0, 0
  for position = 1, #bytes do
    local byte = bytes:byte(position)
    if missing > 0 then
      code = code * 64 + byte % 64
      missing = missing - 1
    elseif byte < 128 then
      code = byte
    elseif byte < 224 then
      code, missing = byte - 192, 1
    else
      code, missing = byte - 224, 2
    end
    if missing == 0 then
      characters = characters + 1
      checksum = (checksum * 31 + code) % 1000003
    end
  end
  return characters, checksum
end

local characters, checksum
for _ = 1, 50 do characters, checksum = decode(text) end
print(characters .. " characters, checksum " .. checksum)
