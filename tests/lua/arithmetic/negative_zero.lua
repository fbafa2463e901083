-- Minus zero is a float of its own: it prints as -0.0, equals 0 and divides to -inf.
print(-0.0, 0.0, 0, -0)  -- expect: -0.0	0.0	0	0
print(-0.0 == 0.0, 1 / -0.0, 1 / 0.0)  -- expect: true	-inf	inf
print(0.0 * -1, 0 * -1, -0.0 + 0, -0.0 + -0.0, 0.0 - 0.0, -(0.0))  -- expect: -0.0	0	0.0	-0.0	0.0	-0.0
local t = {}
t[-0.0] = 'zero'
print(t[0], t[0.0])  -- expect: zero	zero
print(string.format('%.1f %g %d', -0.0, -0.0, -0.0))  -- expect: -0.0 -0 0
print(math.max(-0.0, 0.0), math.min(0.0, -0.0), math.abs(-0.0))  -- expect: -0.0	0.0	0.0
print(-0.0 // 1, 0.0 // -1, -0.0 % 1)  -- expect: -0.0	-0.0	-0.0
