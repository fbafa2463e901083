-- `..` joins strings and numbers, right associative (manual 3.4.6).
print('a' .. 'b' .. 'c', 1 .. 2, 1.5 .. 'x', -1 .. '', 2^53 .. '|')
-- expect: abc	12	1.5x	-1	9.007199254741e+15|
local a, b, c = 'x', 2, 3.0
print(a .. b .. c, a .. '', '' .. '', '' .. a .. '')  -- expect: x23.0	x		x
local s = ''
for i = 1, 10 do s = s .. i .. (i < 10 and ',' or '') end
print(s)  -- expect: 1,2,3,4,5,6,7,8,9,10
print(#(('x'):rep(50) .. ('y'):rep(50)), ('a\0b' .. 'c\0'):byte(1, -1))  -- expect: 100	97	0	98	99	0
print(pcall(function() return 'a' .. {} end))
-- expect: false	concatenation.lua:10: attempt to concatenate a table value
print(pcall(function() return nil .. 'a' end))
-- expect: false	concatenation.lua:12: attempt to concatenate a nil value
print(pcall(function() local t = {} return 'a' .. t.x .. 'b' end))
-- expect: false	concatenation.lua:14: attempt to concatenate a nil value (field 'x')
print(pcall(function() return 1 .. true end))
-- expect: false	concatenation.lua:16: attempt to concatenate a boolean value
print(pcall(function() return print .. 1 end))
-- expect: false	concatenation.lua:18: attempt to concatenate a function value (global 'print')
print(pcall(function() local up = a; return (function() return up .. nil end)() end))
-- expect: false	concatenation.lua:20: attempt to concatenate a nil value
print(pcall(function(p) return 'x' .. p end))
-- expect: false	concatenation.lua:22: attempt to concatenate a nil value (local 'p')
print(pcall(function() return glob .. 'x' end))
-- expect: false	concatenation.lua:24: attempt to concatenate a nil value (global 'glob')
