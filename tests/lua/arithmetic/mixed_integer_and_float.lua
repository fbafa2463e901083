-- An operation on an integer and a float is done on floats (manual 3.4.1).
print(1 + 1.0, 1 - 1.0, 2 * 3.0, 7 // 2.0, 7 % 2.0)  -- expect: 2.0	0.0	6.0	3.0	1.0
print(2^53 + 1, 9007199254740993 + 0.0)  -- expect: 9.007199254741e+15	9.007199254741e+15
print(math.maxinteger + 0.0, math.mininteger + 0.0, math.maxinteger * 1.0 == 2^63)
-- expect: 9.2233720368548e+18	-9.2233720368548e+18	true
print(1e15 + 1, 1e100 + 1)  -- expect: 1e+15	1e+100
local n = 10
n = n + 0.5
print(n, math.type(n))  -- expect: 10.5	float
n = n - 0.5
print(n, math.type(n))  -- expect: 10.0	float
