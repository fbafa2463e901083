-- debug.setmetatable gives metamethods to numbers, nil, booleans and functions.
debug.setmetatable(0, {__index = {double = function(n) return n * 2 end}, __call = function(n, x) return n .. x end, __len = function(n) return n end})
print((5):double(), (2)('x'), #7)  -- expect: 10	2x	7
debug.setmetatable(nil, {__index = function(_, k) return k end, __add = function() return 'nil add' end})
local x
print(x.name, x + 1, 1 + x)  -- expect: name	nil add	nil add
debug.setmetatable(print, {__index = {kind = 'fn'}, __concat = function() return 'fn concat' end})
print(print.kind, print .. 'x')  -- expect: fn	fn concat
debug.setmetatable(true, {__tostring = function(b) return b and 'yes' or 'no' end, __lt = function() return true end})
print(tostring(true), tostring(false), true < false)  -- expect: yes	no	yes
debug.setmetatable(0, nil) debug.setmetatable(nil, nil) debug.setmetatable(print, nil) debug.setmetatable(true, nil)
print(pcall(function() return (5).x end))
-- expect: false	metamethods_of_basic_types.lua:12: attempt to index a number value
print(pcall(function() return x.y end))
-- expect: false	metamethods_of_basic_types.lua:14: attempt to index a nil value (upvalue 'x')
