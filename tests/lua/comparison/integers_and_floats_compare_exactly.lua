-- Comparing an integer with a float uses their exact mathematical values (manual 3.4.4).
print(1 == 1.0, 1 < 1.5, 2 > 1.5, -1 < -0.5, 1 <= 1.0)  -- expect: true	true	true	true	true
print(2^53 == 2^53 + 1, 9007199254740993 == 2^53, 9007199254740993 > 2^53)  -- expect: true	false	true
print(math.maxinteger < 2^63, math.maxinteger + 0.0 == 2^63, math.maxinteger == 2^63)
-- expect: true	true	false
print(math.mininteger == -2^63, math.mininteger <= -2^63, math.mininteger < -2^63)  -- expect: true	true	false
print(math.maxinteger < math.huge, math.mininteger > -math.huge)  -- expect: true	true
print(math.maxinteger >= 2^63, math.maxinteger > 9223372036854774784.0)  -- expect: false	true
print(1 < 0/0, 1 > 0/0, 1 == 0/0, math.maxinteger <= 0/0)  -- expect: false	false	false	false
local i, f = 3, 3.5
print(i < f, i <= f, i > f, i >= f, f < i, f <= i, f > i, f >= i)
-- expect: true	true	false	false	false	false	true	true
print(-3 < -3.5, -3 > -3.5, -4 <= -3.5)  -- expect: false	true	true
