-- Shifts fill with zeros, negative counts shift the other way, 64 and more give zero (manual 3.4.2).
for _, n in ipairs{0, 1, 31, 32, 63, 64, 65, 100, -1, -63, -64, -65} do
  print(n, 1 << n, -1 >> n, -1 << n, math.mininteger >> n)
  -- expect: 0	1	-1	-1	-9223372036854775808
  -- expect: 1	2	9223372036854775807	-2	4611686018427387904
  -- expect: 31	2147483648	8589934591	-2147483648	4294967296
  -- expect: 32	4294967296	4294967295	-4294967296	2147483648
  -- expect: 63	-9223372036854775808	1	-9223372036854775808	1
  -- expect: 64	0	0	0	0
  -- expect: 65	0	0	0	0
  -- expect: 100	0	0	0	0
  -- expect: -1	0	-2	9223372036854775807	0
  -- expect: -63	0	-9223372036854775808	1	0
  -- expect: -64	0	0	0	0
  -- expect: -65	0	0	0	0
end
print(1 << math.maxinteger, 1 << math.mininteger, -1 >> math.mininteger, -1 >> math.maxinteger)
-- expect: 0	0	0	0
local c = 3
print(1 << c, 1 >> c, 256 >> c, 1 << -c, 256 << -c)  -- expect: 8	0	32	0	32
print(2.0 << 1, 1 << 2.0, 1.0 >> 1.0)  -- expect: 4	4	0
