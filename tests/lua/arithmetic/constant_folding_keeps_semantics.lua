-- Folding by the compiler must not change results: zero division, -0.0, nan, wraparound.
print(3 + 4 * 2, (3 + 4) * 2, 2 ^ 2 ^ 3, 7 // 2 * 2 + 7 % 2)  -- expect: 11	14	256.0	7
print(1 << 62 << 1, 1 << 63, -1 >> 1)
-- expect: -9223372036854775808	-9223372036854775808	9223372036854775807
print(0.0 * -1, -0.0, 0 * -1)  -- expect: -0.0	-0.0	0
print(pcall(function() return 5 // 0 end))
-- expect: false	constant_folding_keeps_semantics.lua:6: attempt to divide by zero
print(pcall(function() return 5 % 0 end))
-- expect: false	constant_folding_keeps_semantics.lua:8: attempt to perform 'n%0'
print(5 // 0.0, -5 // 0.0)  -- expect: inf	-inf
print(math.type(2 ^ 2), math.type(4 / 2), math.type(3 // 1.0))  -- expect: float	float	float
print(9223372036854775807 + 1, -9223372036854775807 - 2)  -- expect: -9223372036854775808	9223372036854775807
local k <const> = 10
print(k + 1, k * k, -k, ~k, k .. '')  -- expect: 11	100	-10	-11	10
print(1 + 2 .. '', "a" .. 1 + 2, 2 .. 3)  -- expect: 3	a3	23
