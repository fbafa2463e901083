-- Strings of one byte are the same string wherever they come from, also after collections have removed them.
local char, sub = string.char, string.sub
local text = {}
for i = 0, 255 do text[#text + 1] = char(i) end
text = table.concat(text)
local function check(n)
  local key, found = {}, 0
  for i = 1, n do
    local at = i % 256
    local one = char(at)
    key[one] = at
    if key[sub(text, at + 1, at + 1)] == at and #one == 1 and one:byte() == at then found = found + 1 end
  end
  return found
end
local found = 0
for round = 1, 30 do
  found = found + check(700)
  collectgarbage(round % 3 == 0 and 'collect' or 'step', 100)
end
print(found, #text, table.concat({ char(65), char(0), 'b', char(255) }) == 'A\0b\255')
-- expect: 21000	256	true
