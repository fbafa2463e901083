-- Integer overflow wraps around in two's complement (manual 3.4.1).
local max, min = math.maxinteger, math.mininteger
print(max + 1 == min, min - 1 == max, max * 2, min * min)  -- expect: true	true	-2	0
print(-min == min, max * max, min * -1 == min)  -- expect: true	1	true
print(max + max, min + min)  -- expect: -2	0
print(max + 1.0, min - 1.0)  -- expect: 9.2233720368548e+18	-9.2233720368548e+18
print(math.abs(min), min // 1, max // 1)
-- expect: -9223372036854775808	-9223372036854775808	9223372036854775807
local sum = max
for _ = 1, 3 do sum = sum + 1 end
print(sum)  -- expect: -9223372036854775806
