-- `/` and `^` always convert to floats (manual 3.4.1).
print(6 / 2, 7 / 2, 1 / 3)  -- expect: 3.0	3.5	0.33333333333333
print(math.type(6 / 2), math.type(2 ^ 2))  -- expect: float	float
print(2 ^ 10, 2 ^ 0.5, 2 ^ -1, (-8) ^ (1 / 3) ~= (-8) ^ (1 / 3))  -- expect: 1024.0	1.4142135623731	0.5	true
print(1 / 0, -1 / 0, 0 / 0 ~= 0 / 0)  -- expect: inf	-inf	true
print(2 ^ 3 ^ 2, -2 ^ 2, (-2) ^ 2)  -- expect: 512.0	-4.0	4.0
