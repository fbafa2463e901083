-- a % b == a - floor(a/b)*b, so the result has the sign of the divisor (manual 3.4.1).
print(5 % 3, -5 % 3, 5 % -3, -5 % -3)  -- expect: 2	1	-1	-2
print(6 % 3, -6 % 3, 6 % -3, -6 % -3)  -- expect: 0	0	0	0
print(5.5 % 2, -5.5 % 2, 5.5 % -2, -5.5 % -2)  -- expect: 1.5	0.5	-0.5	-1.5
print(0.0 % 3, -0.0 % 3, -3.0 % 3)  -- expect: 0.0	-0.0	-0.0
print(1 % math.huge, -1 % math.huge, 1 % -math.huge, -1 % -math.huge)  -- expect: 1.0	inf	-inf	-1.0
print(math.mininteger % -1, math.mininteger % math.maxinteger, math.maxinteger % math.mininteger)
-- expect: 0	9223372036854775806	-1
print(5 % 3.0, 5.0 % 3, math.type(5 % 3.0))  -- expect: 2.0	2.0	float
print(3 % -math.huge, -3 % math.huge)  -- expect: -inf	inf
for i = -4, 4 do io.write(i % 3, ' ', i % -3, ' ', i // 3, ' ', i // -3, ';') end
print()  -- expect: 2 -1 -2 1;0 0 -1 1;1 -2 -1 0;2 -1 -1 0;0 0 0 0;1 -2 0 -1;2 -1 0 -1;0 0 1 -1;1 -2 1 -2;
