-- group: branchy
-- A hand-written tokenizer of a small language: the kind of the next byte decides everything, and kinds come
-- in runs.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local byte, sub = string.byte, string.sub

local keywords = { ["if"] = true, ["then"] = true, ["else"] = true, ["end"] = true, ["while"] = true, ["do"] = true,
                   ["return"] = true, ["function"] = true, ["local"] = true }

local source = [[
-- The greatest common divisor, and a few things to make the tokenizer sweat.
function gcd(first, second)
  while second ~= 0 do
    local rest = first % second   -- the remainder
    first = second
    second = rest
  end
  return first
end

local names = { "alpha", 'beta', "ga\"mma", 3.14159, 42, 1e10, 0 }
function show(list, index)
  if index <= 10 and list[index] then
    print(list[index] .. " is number " .. index)
    return show(list, index + 1)
  else
    return gcd(index * 36, 24) == 12 or index >= 100
  end
end
]]
source = train and "local total = first + second * 27\nreturn total <= 100\n" or source:rep(6)

local function is_letter(c) return c >= 97 and c <= 122 or c >= 65 and c <= 90 or c == 95 end
local function is_digit(c) return c >= 48 and c <= 57 end

--- Returns how many tokens of each kind there are.
local function tokenize(text)
  local position, length = 1, #text
  local names, words, numbers, strings, symbols, comments, lines = 0, 0, 0, 0, 0, 0, 1
  while position <= length do
    local c = byte(text, position)
    if c == 32 or c == 9 then
      position = position + 1
    elseif c == 10 then
      lines = lines + 1
      position = position + 1
    elseif is_letter(c) then
      local start = position
      repeat
        position = position + 1
        c = byte(text, position)
      until not (c and (is_letter(c) or is_digit(c)))
      if keywords[sub(text, start, position - 1)] then
        words = words + 1
      else
        names = names + 1
      end
    elseif is_digit(c) then
      repeat
        position = position + 1
        c = byte(text, position)
      until not (c and (is_digit(c) or c == 46 or c == 101))
      numbers = numbers + 1
    elseif c == 34 or c == 39 then
      local quote = c
      position = position + 1
      c = byte(text, position)
      while c ~= quote do
        if c == 92 then position = position + 1 end
        position = position + 1
        c = byte(text, position)
      end
      position = position + 1
      strings = strings + 1
    elseif c == 45 and byte(text, position + 1) == 45 then
      while byte(text, position) ~= 10 do position = position + 1 end
      comments = comments + 1
    else
      local following = byte(text, position + 1)
      if following == 61 and (c == 61 or c == 126 or c == 60 or c == 62) or c == 46 and following == 46 then
        position = position + 2
      else
        position = position + 1
      end
      symbols = symbols + 1
    end
  end
  return names + 3 * words + 5 * numbers + 7 * strings + 11 * symbols + 13 * comments + 17 * lines
end

for _ = 1, math.max(1, math.floor(3800 * scale)) do
  assert(tokenize(source) == (train and 115 or 5657))
end
