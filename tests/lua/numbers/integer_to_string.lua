-- Integers print in full, in decimal.
print(0, -1, 1000000, 9223372036854775807, -9223372036854775808)
-- expect: 0	-1	1000000	9223372036854775807	-9.2233720368548e+18
print(math.mininteger, math.maxinteger, math.mininteger + 1)
-- expect: -9223372036854775808	9223372036854775807	-9223372036854775807
print(1 .. '', -1 .. '', 0x7fffffffffffffff .. '')  -- expect: 1	-1	9223372036854775807
print(#tostring(math.mininteger), tostring(10) == '10')  -- expect: 20	true
for _, n in ipairs{9, 10, 99, 100, 999, 12345678, 123456789012} do io.write(n, ' ', -n, ' ') end
print()  -- expect: 9 -9 10 -10 99 -99 100 -100 999 -999 12345678 -12345678 123456789012 -123456789012
