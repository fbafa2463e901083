-- The first operand's metamethod is tried first, then the second's; results are one value.
local function object(name) return setmetatable({}, {__add = function() return name, 'lost' end}) end
local a, b = object 'left', object 'right'
print(a + b, b + a, 1 + a, b + 1)  -- expect: left	right	left	right
print((a + b), select('#', (a + b)))  -- expect: left	1
local only = setmetatable({}, {})
print(only + a, a + only)  -- expect: left	left
print(pcall(function() return only + 1 end))
-- expect: false	arithmetic_prefers_the_left_operand.lua:8: attempt to perform arithmetic on a table value (upvalue 'only')
print(pcall(function() return only + only end))
-- expect: false	arithmetic_prefers_the_left_operand.lua:10: attempt to perform arithmetic on a table value (upvalue 'only')
print(setmetatable({}, {__add = function() end}) + 1)  -- expect: nil
print(pcall(function() return setmetatable({}, {__add = 5}) + 1 end))
-- expect: false	arithmetic_prefers_the_left_operand.lua:13: attempt to call a number value (metamethod 'add')
print(setmetatable({}, {__add = setmetatable({}, {__call = function(self, x, y) return type(x) .. type(y) end})}) + 1)
-- expect: tablenumber
print(setmetatable({}, {__unm = function(...) return select('#', ...) end}) and -setmetatable({}, {__unm = function(...) return select('#', ...) end}))
-- expect: 2
