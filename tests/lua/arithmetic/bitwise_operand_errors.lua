-- Bitwise operators need values with an exact integer representation (manual 3.4.2, 3.4.3).
local t, s, f = {}, 'abc', 1.5
print(pcall(function() return 1 & f end))
-- expect: false	bitwise_operand_errors.lua:3: number (upvalue 'f') has no integer representation
print(pcall(function() return f | 1 end))
-- expect: false	bitwise_operand_errors.lua:5: number (upvalue 'f') has no integer representation
print(pcall(function() return 1 ~ 2^63 end))
-- expect: false	bitwise_operand_errors.lua:7: number has no integer representation
print(pcall(function() return ~f end))
-- expect: false	bitwise_operand_errors.lua:9: number (upvalue 'f') has no integer representation
print(pcall(function() return 1 << t end))
-- expect: false	bitwise_operand_errors.lua:11: attempt to perform bitwise operation on a table value (upvalue 't')
print(pcall(function() return s & 1 end))
-- expect: false	bitwise_operand_errors.lua:13: attempt to perform bitwise operation on a string value (upvalue 's')
print(pcall(function() return "1.5" & 1 end))
-- expect: false	bitwise_operand_errors.lua:15: attempt to perform bitwise operation on a string value (constant '1.5')
print(pcall(function() return 1 & nil end))
-- expect: false	bitwise_operand_errors.lua:17: attempt to perform bitwise operation on a nil value
print(pcall(function() return ~t.x end))
-- expect: false	bitwise_operand_errors.lua:19: attempt to perform bitwise operation on a nil value (field 'x')
print(pcall(function() return 1 | (0/0) end))
-- expect: false	bitwise_operand_errors.lua:21: number has no integer representation
print(pcall(function() return "0x1p70" | 0 end))
-- expect: false	bitwise_operand_errors.lua:23: attempt to perform bitwise operation on a string value (constant '0x1p70')
print(pcall(function() return 1e100 & 1 end))
-- expect: false	bitwise_operand_errors.lua:25: number has no integer representation
