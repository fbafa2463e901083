-- Programs of patterns are kept for a while: more patterns than there is room for, in turns, nested.
local patterns = {}
for i = 1, 500 do patterns[i] = ("^(%%a*)%d(.-)%d$"):format(i, i) end
local right = 0
for round = 1, 4 do
  for i = round, #patterns, round do
    local a, b = ("ab" .. i .. "--" .. i):match(patterns[i])
    if a == "ab" and b == "--" then right = right + 1 end
  end
end
print(right)  -- expect: 1041

-- Each level's own pattern is in use while the level below replaces with its own.
local function nested(depth)
  if depth == 0 then return "." end
  return (("a" .. depth .. "b"):gsub("%a" .. depth .. "(%a)", function(letter) return letter .. nested(depth - 1) .. letter end))
end
print(nested(6), #nested(150))  -- expect: bbbbbb.bbbbbb	301

-- An anchor belongs to the pattern of find, not to that of gmatch.
for _ = 1, 3 do
  print(("x^x"):find("^x"), ("x^x"):gmatch("^x")())
end
-- expect: 1	^x
-- expect: 1	^x
-- expect: 1	^x
