-- package: lua-rex-pcre2
local rex = require "rex_pcre2"
print(rex.match("hello 42", "(\\w+) (\\d+)"), rex.find("abc", "b"))
print(rex.gsub("abc", "[ac]", "<%0>"), rex.gsub("abc", ".", function(c) return c:upper() end), rex.gsub("a b", "\\w", { a = "X" }))
for k, v in rex.gmatch("a=1, b=2", "(\\w)=(\\d)") do io.write(k, v, ";") end
print()
for s in rex.split("a,b;c", "[,;]") do io.write(s, "|") end
print()
print(pcall(rex.new, "("))
local r = rex.new("(?<year>\\d{4})-(?<month>\\d\\d)")
local _, _, captures = r:tfind "on 2024-05-06"
print(captures.year, captures.month, captures[1])
print(pcall(rex.gsub, "abc", ".", function() error("in replacement", 0) end))
print(rex.count("banana", "a"), #rex.gsub(("ab"):rep(50000), "a", ""))
