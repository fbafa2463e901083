-- `#` of strings is bytes; of tables a border; errors name the variable.
print(#'', #'abc', #'a\0b', #'é', #"\u{10FFFF}")  -- expect: 0	3	3	2	4
print(#{}, #{1, 2, 3}, #{n = 1}, #{1, 2, nil}, #{[1] = 1, [2] = 2})  -- expect: 0	3	0	2	2
print(pcall(function() return #5 end))
-- expect: false	length_operator.lua:4: attempt to get length of a number value
print(pcall(function() local x; return #x end))
-- expect: false	length_operator.lua:6: attempt to get length of a nil value (local 'x')
print(pcall(function() return #undefined end))
-- expect: false	length_operator.lua:8: attempt to get length of a nil value (global 'undefined')
print(pcall(function() local t = {} return #t.x end))
-- expect: false	length_operator.lua:10: attempt to get length of a nil value (field 'x')
print(pcall(function() return #print end))
-- expect: false	length_operator.lua:12: attempt to get length of a function value (global 'print')
local t = {}
for i = 1, 100 do t[i] = i end
print(#t)  -- expect: 100
for i = 100, 51, -1 do t[i] = nil end
print(#t)  -- expect: 50
