-- package: lua-lpeg
local lpeg = require "lpeg"
local re = require "re"
local P, R, S, C, Ct, Cs, Cg, Cf, Cc, Cmt, V = lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Ct, lpeg.Cs, lpeg.Cg, lpeg.Cf, lpeg.Cc, lpeg.Cmt, lpeg.V
local number = C(R "09" ^ 1) / tonumber
local grammar = P { "E",
  E = Cf(V "T" * Cg(C(S "+-") * V "T") ^ 0, function(a, o, b) return o == "+" and a + b or a - b end),
  T = Cf(V "F" * Cg(C(S "*/") * V "F") ^ 0, function(a, o, b) return o == "*" and a * b or a / b end),
  F = number + P "(" * V "E" * P ")" }
print(grammar:match("1+2*(3-4)*5-7"), grammar:match("((8)/2)"), grammar:match("x"))
print(Cs((P "a" / "b" + 1) ^ 0):match("banana"), Ct(C(1) ^ 0):match("abc")[3])
print(Cmt(C(R "az" ^ 1), function(s, i, c) return c == "key" and i, c:upper() end):match("key"))
print(pcall(function() return P {} end))
print(pcall(lpeg.match, 1, {}))
print(pcall(function() return P(""):match("x", 1, 2) ^ 0 end))
print(pcall(function() return (P "") ^ 0 end))
print(pcall(Cmt(1, function() error "inside" end).match, Cmt(1, function() error("inside", 0) end), "x"))
print(lpeg.type(P "a"), lpeg.type "a", lpeg.version and type(lpeg.version))
local words = re.compile("{| ({[a-z]+} / .)* |}")
print(table.concat(words:match("the quick, brown fox"), ","))
print(re.gsub("hello world", "[aeiou]", "*"), re.find("hello", "'l'+"))
local big = ("x"):rep(100000)
print(P "x" ^ 0 * C(""):match(big) and (P "x" ^ 0):match(big))
local count = 0
local item = (R "az" ^ 1) / function() count = count + 1 end
print((item + 1) ^ 0 and ((item + 1) ^ 0):match(("ab 12 "):rep(2000)), count)
print(lpeg.B(P "a"):match("a", 2), (#P "b" * C(1)):match("b"), (-P "b" * C(1)):match("b"))
