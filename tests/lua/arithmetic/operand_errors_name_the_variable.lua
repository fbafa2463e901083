-- "attempt to perform arithmetic" tells the type and, when it can, the variable.
local lo = {}
glob = nil
local up
print(pcall(function(p) return p + 1 end))
-- expect: false	operand_errors_name_the_variable.lua:5: attempt to perform arithmetic on a nil value (local 'p')
print(pcall(function() local x; return x * 2 end))
-- expect: false	operand_errors_name_the_variable.lua:7: attempt to perform arithmetic on a nil value (local 'x')
print(pcall(function() return up - 1 end))
-- expect: false	operand_errors_name_the_variable.lua:9: attempt to perform arithmetic on a nil value (upvalue 'up')
print(pcall(function() return glob / 2 end))
-- expect: false	operand_errors_name_the_variable.lua:11: attempt to perform arithmetic on a nil value (global 'glob')
print(pcall(function() return lo.field % 2 end))
-- expect: false	operand_errors_name_the_variable.lua:13: attempt to perform arithmetic on a nil value (field 'field')
print(pcall(function() return lo[1] // 2 end))
-- expect: false	operand_errors_name_the_variable.lua:15: attempt to perform arithmetic on a nil value (field 'integer index')
print(pcall(function() return 2 ^ lo end))
-- expect: false	operand_errors_name_the_variable.lua:17: attempt to perform arithmetic on a table value (upvalue 'lo')
print(pcall(function() return -lo end))
-- expect: false	operand_errors_name_the_variable.lua:19: attempt to perform arithmetic on a table value (upvalue 'lo')
print(pcall(function() return 1 + print end))
-- expect: false	operand_errors_name_the_variable.lua:21: attempt to perform arithmetic on a function value (global 'print')
print(pcall(function() return true + 1 end))
-- expect: false	operand_errors_name_the_variable.lua:23: attempt to perform arithmetic on a boolean value
print(pcall(function() return lo.a.b + 1 end))
-- expect: false	operand_errors_name_the_variable.lua:25: attempt to index a nil value (field 'a')
print(pcall(function() return 10 + lo.x.y end))
-- expect: false	operand_errors_name_the_variable.lua:27: attempt to index a nil value (field 'x')
print(pcall(function() local a <const> = 5; return a + {} end))
-- expect: false	operand_errors_name_the_variable.lua:29: attempt to perform arithmetic on a table value
