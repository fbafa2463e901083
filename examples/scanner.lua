-- A tokenizer in one loop: each round classifies one character and says whether a token begins with it.
--
--   mangata --profile-paths examples/scanner.lua
--   mangata --profile-paths --profile-k=3 examples/scanner.lua
--
-- Path by path, most rounds read one more letter and the rest is a bit of everything. Over two rounds the language shows: a
-- letter after a blank begins a word, a letter after a letter never does, and words are rarely shorter than three.

local program = [[
local function gcd(first, second)
  while second > 0 do
    first, second = second, first % second
  end
  return first
end

for number = 10, 9990, 20 do
  print(number, gcd(number, 1024), 3600)
end
]]

--- How many words, numbers, symbols and lines there are.
local function scan(text)
  local words, numbers, symbols, lines = 0, 0, 0, 0
  local word, number = false, false
  for position = 1, #text do
    local byte = text:byte(position)
    if byte >= 97 and byte <= 122 then
      if not word then words, word = words + 1, true end
    elseif byte >= 48 and byte <= 57 then
      if not number then numbers, number = numbers + 1, true end
    else
      word, number = false, false
      if byte == 10 then
        lines = lines + 1
      elseif byte ~= 32 then
        symbols = symbols + 1
      end
    end
  end
  return words, numbers, symbols, lines
end

local text = program:rep(400)
print(scan(text))
