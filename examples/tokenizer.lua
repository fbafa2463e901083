-- A tokenizer: it reads a text as a compiler would, character by character, and says what it found.
--
--   mangata examples/tokenizer.lua [file]
--   mangata --profile-paths examples/tokenizer.lua
--
-- Without a file it reads a little program of its own, many times over. Its heart is the loop in `tokens`: every turn
-- looks at one character and takes one of a dozen branches. Which ones, and how often? Guess first, then profile.

local program = [[
-- Counts the vowels of a line.
local vowels = { a = true, e = true, i = true, o = true, u = true }

local function count_vowels(line)
  local count = 0
  for position = 1, #line do
    if vowels[line:sub(position, position)] then
      count = count + 1
    end
  end
  return count
end

print(count_vowels("one path at a time"), 0x1F, 3.25e-1, 'it\'s')
]]

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return
               then true until while]]):gmatch("%a+") do
  keywords[word] = true
end

local function is_letter(character)
  return character:match("^[%a_]") ~= nil
end

local function is_digit(character)
  return character:match("^%d") ~= nil
end

--- Returns the position just behind the string that opens at `start`.
local function end_of_string(text, start)
  local quote = text:sub(start, start)
  local position = start + 1
  while text:sub(position, position) ~= quote do
    if text:sub(position, position) == "\\" then
      position = position + 1 -- whatever follows a backslash does not close the string
    end
    position = position + 1
  end
  return position + 1
end

--- An iterator over the tokens of a text: each turn gives a kind and the token itself.
local function tokens(text)
  local position = 1
  return function()
    while position <= #text do
      local start = position
      local character = text:sub(start, start)
      if character == " " or character == "\n" then
        position = position + 1
      elseif is_letter(character) then
        position = text:match("^[%w_]+()", start)
        local word = text:sub(start, position - 1)
        return keywords[word] and "keyword" or "name", word
      elseif is_digit(character) then
        position = text:match("^0[xX]%x+()", start) or text:match("^[%d.]+[eE]?[+-]?%d*()", start)
        return "number", text:sub(start, position - 1)
      elseif character == '"' or character == "'" then
        position = end_of_string(text, start)
        return "string", text:sub(start, position - 1)
      elseif text:find("^%-%-", start) then
        position = text:find("\n", start, true) or #text + 1
        return "comment", text:sub(start, position - 1)
      else
        position = start + 1
        return "symbol", character
      end
    end
  end
end

local text = program:rep(10000)
if arg and arg[1] then
  local file = assert(io.open(arg[1]))
  text = file:read("a")
  file:close()
end

local count, longest = {}, {}
for kind, token in tokens(text) do
  count[kind] = (count[kind] or 0) + 1
  if #token > #(longest[kind] or "") then
    longest[kind] = token
  end
end

local kinds = {}
for kind in pairs(count) do
  kinds[#kinds + 1] = kind
end
table.sort(kinds, function(a, b) return count[a] > count[b] end)
for _, kind in ipairs(kinds) do
  print(string.format("%-8s %6d   longest: %s", kind, count[kind], longest[kind]))
end
