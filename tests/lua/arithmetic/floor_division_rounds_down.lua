-- `//` rounds towards minus infinity for every mix of signs (manual 3.4.1).
print(7 // 2, -7 // 2, 7 // -2, -7 // -2)  -- expect: 3	-4	-4	3
print(6 // 2, -6 // 2, 6 // -2, -6 // -2)  -- expect: 3	-3	-3	3
print(7.0 // 2, -7.0 // 2, 7 // -2.0, -7.5 // 2)  -- expect: 3.0	-4.0	-4.0	-4.0
print(0.5 // 1, -0.5 // 1, 5.3 // 0.5)  -- expect: 0.0	-1.0	10.0
print(1.0 // 0, -1.0 // 0, 1 // 0.0, 1 // -0.0)  -- expect: inf	-inf	inf	-inf
print(math.mininteger // -1, math.maxinteger // -1)  -- expect: -9223372036854775808	-9223372036854775807
print(1e308 // 1e-308, -1 // math.huge, 1 // -math.huge, 1 // math.huge)  -- expect: inf	-0.0	-0.0	0.0
