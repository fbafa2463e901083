-- Integer arithmetic stays integer for + - * // % and wraps around (manual 3.4.1).
print(7 + 3, 7 - 3, 7 * 3, 7 // 3, 7 % 3)  -- expect: 10	4	21	2	1
print(-7 + 3, -7 - 3, -7 * 3, -(-7))  -- expect: -4	-10	-21	7
local a, b = 12, 5
print(a + b, a - b, a * b, a // b, a % b)  -- expect: 17	7	60	2	2
print(math.type(a + b), math.type(a * b), math.type(a // b))  -- expect: integer	integer	integer
