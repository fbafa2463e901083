-- Bitwise operators work on 64-bit integers (manual 3.4.2).
print(0xF0 & 0x3C, 0xF0 | 0x0F, 0xF0 ~ 0xFF, ~0)  -- expect: 48	255	15	-1
print(1 << 4, 256 >> 4, -1 >> 60, -1 << 60)  -- expect: 16	16	15	-1152921504606846976
print(~5, ~-1, ~math.maxinteger == math.mininteger)  -- expect: -6	0	true
print(5 & 3.0, 2^53 | 1, 3.0 ~ 1, 7.0 & -1)  -- expect: 1	9007199254740993	2	7
print(0xFF ~ 0xFF, 0 ~ 0xFF)  -- expect: 0	255
print(1 | 2 & 3 ~ 4 << 1, (1 | 2) & 3)  -- expect: 11	3
print(string.format('%x', ~0 >> 4), string.format('%x', 0xdeadbeef << 8))
-- expect: fffffffffffffff	deadbeef00
