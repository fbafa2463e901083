-- The largest and smallest floats, infinities and subnormals.
print(1.7976931348623157e308, 1.7976931348623157e308 * 10, -1.7976931348623157e308 * 10)
-- expect: 1.7976931348623e+308	inf	-inf
print(2.2250738585072014e-308, 4.9406564584125e-324, 4.9406564584125e-324 / 2)
-- expect: 2.2250738585072e-308	4.9406564584125e-324	0.0
print(math.huge, -math.huge, math.huge - math.huge ~= 0, math.huge * 0 ~= 0)  -- expect: inf	-inf	true	true
print(math.huge // 1, -math.huge // 1, math.huge == math.huge + 1)  -- expect: inf	-inf	true
print(2^1023 * 2, 2^-1074, 2^-1075, 2^1024 == math.huge)  -- expect: inf	4.9406564584125e-324	0.0	true
print(0.1 + 0.2 == 0.3, 0.1 + 0.2, 1e16 + 1 == 1e16)  -- expect: false	0.3	true
print(5 % math.huge, 5.0 % -math.huge, math.fmod(5, math.huge))  -- expect: 5.0	-inf	5.0
