-- Reading, converting, comparing and computing values through the C API (manual §4.6).
local probe = require "probe"
local run = probe.run
for _, v in ipairs { 0, 1.5, "10", "0x10", " 7 ", "7x", "1e1", true, {}, print } do
  print(type(v), run("isnumber 1; isstring 1; isinteger 1; tonumber 1; tointeger 1; toboolean 1; return 8", v))
  -- expect: number	true	true	true	0.0	true	0	true	true
  -- expect: number	true	true	false	1.5	true	0	false	true
  -- expect: string	true	true	false	10.0	true	10	true	true
  -- expect: string	true	true	false	16.0	true	16	true	true
  -- expect: string	true	true	false	7.0	true	7	true	true
  -- expect: string	false	true	false	0.0	false	0	false	true
  -- expect: string	true	true	false	10.0	true	10	true	true
  -- expect: boolean	false	false	false	0.0	false	0	false	true
  -- expect: table	false	false	false	0.0	false	0	false	true
  -- expect: function	false	false	false	0.0	false	0	false	true
end
print(run("tostring 1; type 1; return 2", 12))  -- expect: 12	string
print(run("tostring 1; type 1; return 2", 1e15))  -- expect: 1e+15	string
print(run("tostring 1; return 1", nil))  -- expect: nil
print(run("rawlen 1; rawlen 2; rawlen 3; rawlen 4; return 4", "abc", { 1, 2 }, print, 5))  -- expect: 3	2	0	0
print(run("stringtonumber 12; return M"), run("stringtonumber 1.5; return M"), run("stringtonumber x; return M"))
-- expect: 12	1.5	0
print(run("arith 0; return 1", 3, 4), run("arith 5; return 1", 3, 4), run("arith 6; return 1", 7, 2), run("arith 3; return 1", -7, 2))
-- expect: 7	0.75	3	1
print(run("arith 12; return 1", 3), run("arith 13; return 1", 3), run("arith 10; return 1", 1, 4), run("arith 4; return 1", 2, 10))
-- expect: -3	-4	16	1024.0
print(pcall(run, "arith 0; return 1", {}, 1))  -- expect: false	attempt to perform arithmetic on a table value
print(pcall(run, "arith 7; return 1", 1.5, 1))  -- expect: false	number has no integer representation
print(run("compare 1 2 0; compare 1 2 1; compare 1 2 2; compare 1 9 0; rawequal 1 2; rawequal 1 9; return 6", 1, 1.0))
-- expect: true	false	true	false	true	false
print(run("compare 1 2 -1; compare 1 2 3; return 2", 1, 1))  -- expect: false	false
print(pcall(run, "compare 1 2 1; return 1", 1, {}))  -- expect: false	attempt to compare number with table
print(run("concat 3; return M", 1, "a", 2.0), run("concat 0; return M"), run("concat 1; return M", true))
-- expect: 1a2.0		true
print(pcall(run, "concat 2; return 1", {}, "x"))  -- expect: false	attempt to concatenate a table value
local mt = {
  __len = function() return 42 end, __eq = function() return true end, __lt = function() return true end,
  __concat = function(a, b) return "cat" end, __add = function() return "sum" end, __unm = function() return "minus" end,
  __tostring = function() return "shown" end, __name = "Thing",
}
local a, b = setmetatable({}, mt), setmetatable({}, mt)
print(run("len 1; Llen 1; rawlen 1; compare 1 2 0; compare 1 2 1; rawequal 1 2; return 6", a, b))
-- expect: 42	42	0	true	true	false
print(run("concat 2; return 1", a, "x"), run("arith 0; return 1", 1, a), run("arith 12; return 1", a))
-- expect: cat	sum	minus
print(run("Ltolstring 1; return 2", a), run("Ltolstring 1; return 2", 1.0), run("Ltolstring 1; return 2", nil))
-- expect: shown	1.0	nil	3
print(pcall(run, "Ltolstring 1; return 2", setmetatable({}, { __tostring = function() return 1 == 1 end })))
-- expect: false	'__tostring' must return a string
print(pcall(run, "Llen 1", setmetatable({}, { __len = function() return "x" end })))
-- expect: false	object length is not an integer
print((run("Ltolstring 1; return 2", setmetatable({}, { __name = "Named" })):gsub("0x%x+", "PTR")))
-- expect: Named: PTR
-- light userdata have 64 bits, and are keys
local t = {}
run("pushint 7; rawsetp 1 123456; return 0", t)
print(run("rawgetp 1 123456; rawgetp 1 123457; return 2", t))  -- expect: 7	nil
print(run("pushlight 5; pushlight 5; rawequal -1 -2; return 1"))  -- expect: true
