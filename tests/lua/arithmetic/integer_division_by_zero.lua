-- Dividing an integer by zero is an error; by a float zero it is not (manual 3.4.1).
local zero = 0
print(pcall(function() return 1 // zero end))
-- expect: false	integer_division_by_zero.lua:3: attempt to divide by zero
print(pcall(function() return 1 % zero end))
-- expect: false	integer_division_by_zero.lua:5: attempt to perform 'n%0'
print(pcall(function() return math.mininteger // zero end))
-- expect: false	integer_division_by_zero.lua:7: attempt to divide by zero
print(pcall(load("return 1 // 0")))  -- expect: false	[string "return 1 // 0"]:1: attempt to divide by zero
print(pcall(load("return 1 % 0")))  -- expect: false	[string "return 1 % 0"]:1: attempt to perform 'n%0'
print(1 // 0.0, -1 // 0.0, 1 % math.huge)  -- expect: inf	-inf	1.0
local m = 1 % 0.0
print(m ~= m)  -- expect: true
