-- Patterns that are too long to be kept between two uses.
local function pattern(piece, count) return piece:rep(count) end
local subject = ("ab"):rep(3000)
print(subject:find(subject))  -- expect: 1	6000
print(subject:find("^" .. subject .. "$"))  -- expect: 1	6000
print(subject:find(subject .. "c"), select(2, subject:match("^(" .. subject .. ")()$")))  -- expect: nil	6001
print(subject:match("(" .. pattern("[ab]", 6000) .. ")") == subject, subject:match(pattern("[ab]", 5999) .. "(.)"), subject:match(pattern("[ab]", 6001)))
-- expect: true	b	nil
local count = 0
for whole, last in (subject .. "-" .. subject .. "-"):gmatch(pattern("[ab]", 5999) .. "(%a)()") do count = count + 1 assert(whole == "b" and last % 6001 == 0) end
print(count)  -- expect: 2
print((subject .. subject):gsub(pattern("%a", 6000), "<%0>"):len(), select(2, (subject .. subject):gsub(pattern("%a", 6000), "")))  -- expect: 12004	2
print(select(2, ("x" .. subject):gsub(pattern("%l", 3000), function(s) return (subject:gsub(pattern("%l", 2999), #s)) end)))  -- expect: 2
for _, flaw in ipairs { "%", "[", "(", ")", "%1", "%b", "%f" } do
  print(select(2, pcall(string.find, ("a"):rep(5000), pattern("a", 4999) .. flaw)))
  -- expect: malformed pattern (ends with '%')
  -- expect: malformed pattern (missing ']')
  -- expect: unfinished capture
  -- expect: nil
  -- expect: invalid capture index %1
  -- expect: malformed pattern (missing arguments to '%b')
  -- expect: missing '[' after '%f' in pattern
end
print(pcall(string.find, "", pattern("()", 3000)))  -- expect: false	too many captures
