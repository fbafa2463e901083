-- Strings that look like numbers take part in arithmetic, keeping integer or float (manual 3.4.3).
print("10" + 5, 10 + "5", "10" * "2", "3" - 1)  -- expect: 15	15	20	2
print("10" + 0.5, "1.5" + 1, "0x10" + 0, " 10 " + 1, "1e1" + 0)  -- expect: 10.5	2.5	16	11	10.0
print("7" // 2, "7" % "4", "2" ^ 3, "7" / 2, -"2", -"2.0", - "0x10")  -- expect: 3	3	8.0	3.5	-2	-2.0	-16
print(math.type("10" + 5), math.type("10.0" + 5))  -- expect: integer	float
print("9223372036854775807" + 1, "9223372036854775808" + 1)
-- expect: -9223372036854775808	9.2233720368548e+18
print(pcall(function() return "abc" + 1 end))
-- expect: false	string_operands_are_converted.lua:8: attempt to add a 'string' with a 'number'
print(pcall(function() return 1 + "10x" end))
-- expect: false	string_operands_are_converted.lua:10: attempt to add a 'number' with a 'string'
print(pcall(function() return {} + "1" end))
-- expect: false	string_operands_are_converted.lua:12: attempt to add a 'table' with a 'string'
print(pcall(function() return "a" + {} end))
-- expect: false	string_operands_are_converted.lua:14: attempt to add a 'string' with a 'table'
print(pcall(function() return -"x" end))
-- expect: false	string_operands_are_converted.lua:16: attempt to unm a 'string' with a 'string'
print(pcall(function() return "1" + nil end))
-- expect: false	string_operands_are_converted.lua:18: attempt to add a 'string' with a 'nil'
