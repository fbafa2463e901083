-- The string metatable has arithmetic metamethods that try the other operand's ones (manual 6.4).
local mt = getmetatable('')
local names = {}
for k in pairs(mt) do names[#names + 1] = k end
table.sort(names)
print(table.concat(names, ' '))  -- expect: __add __div __idiv __index __mod __mul __pow __sub __unm
local t = setmetatable({}, {__add = function(a, b) return type(a) .. '+' .. type(b) end,
                            __unm = function() return 'minus' end})
print('10' + t, t + '10', 'abc' + t, -t)  -- expect: string+table	table+string	string+table	minus
print(pcall(function() return 'abc' + 1 end))
-- expect: false	string_arithmetic_metamethods.lua:10: attempt to add a 'string' with a 'number'
print(pcall(function() return 1 - 'abc' end))
-- expect: false	string_arithmetic_metamethods.lua:12: attempt to sub a 'number' with a 'string'
print(pcall(function() return 'abc' * {} end))
-- expect: false	string_arithmetic_metamethods.lua:14: attempt to mul a 'string' with a 'table'
print(pcall(mt.__add, '1', {}))  -- expect: false	attempt to add a 'string' with a 'table'
print(pcall(mt.__add, 1, 2))  -- expect: true	3
print(mt.__add('3', '4'), mt.__unm('3'), mt.__mul('0x10', 2), mt.__pow('2', '3'))  -- expect: 7	-3	32	8.0
