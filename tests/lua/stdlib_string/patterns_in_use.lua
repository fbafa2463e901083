-- Patterns are compiled once; other patterns used in the middle of a gsub or gmatch do not disturb them.
local function each(n)
  local out = {}
  for i = 1, n do out[i] = ("p" .. i .. "q"):match("p(" .. i .. ")q") end
  return table.concat(out, ",")
end
print(("one two three"):gsub("(%a)(%a+)", function(a, b) each(100) return b .. a end))  -- expect: neo wot hreet	3
print(("a1b2"):gsub("%a(%d)", function(d)
  return ("x" .. d):gsub("%a(%d)", function(e) return ("[" .. e .. "]"):gsub("%a(%d)", "!") end)
end))  -- expect: [1][2]	2
local words = {}
for word in ("to be or not"):gmatch("%a+") do
  each(70)
  words[#words + 1] = (word:gsub("%a+", string.upper))
end
print(table.concat(words, " "))  -- expect: TO BE OR NOT
-- An error in the middle leaves the pattern usable.
print(pcall(string.gsub, "abc", "%w", function() error("stop", 0) end))  -- expect: false	stop
print(("abc"):gsub("%w", "<%0>"))  -- expect: <a><b><c>	3
-- "^" is an anchor for find, match and gsub, and a character for gmatch; the same text in turns.
for _ = 1, 3 do
  local found = {}
  for text in ("a^a"):gmatch("^a") do found[#found + 1] = text end
  print(("a^a"):match("^a"), #found, ("a^a"):gsub("^a", "x"))
end
-- expect: a	1	x^a	1
-- expect: a	1	x^a	1
-- expect: a	1	x^a	1
-- A flaw that shows only when captures are taken, after some are there.
print(pcall(string.match, "ab", "()(a)(b"))  -- expect: false	unfinished capture
print(pcall(string.find, "ab", "(a)()(b"))  -- expect: false	unfinished capture
print(pcall(function() for a, b in ("ab"):gmatch("(a)(b") do print(a, b) end end))
-- expect: false	patterns_in_use.lua:32: unfinished capture
