-- If start or step is a float all values are floats.
local function run(a, b, c) local out = {} for i = a, b, c do out[#out + 1] = tostring(i) end return '[' .. table.concat(out, ' ') .. ']' end
print(run(1.0, 3, 1), run(1, 3.0, 1), run(1, 3, 1.0), run(1, 3.9, 1), run(3, 0.5, -1))
-- expect: [1.0 2.0 3.0]	[1 2 3]	[1.0 2.0 3.0]	[1 2 3]	[3 2 1]
print(run(0, 1, 0.25), run(1, 0, -0.25), run(0.1, 0.5, 0.1), run(1, 2.5, 0.5))
-- expect: [0.0 0.25 0.5 0.75 1.0]	[1.0 0.75 0.5 0.25 0.0]	[0.1 0.2 0.3 0.4 0.5]	[1.0 1.5 2.0 2.5]
print(run(-1, -3.5, -1), run(1, -math.huge, 1), run(3, math.huge, -1), run(1, 0/0, 1), run(1.0, 0/0, 1), run(0/0, 1, 1))
-- expect: [-1 -2 -3]	[]	[]	[]	[1.0]	[-nan]
print(run(math.maxinteger - 1, math.huge, 1), run(math.mininteger, -math.huge, -1), run(math.mininteger + 1, -math.huge, -1))
-- expect: [9223372036854775806 9223372036854775807]	[-9223372036854775808]	[-9223372036854775807 -9223372036854775808]
print(run(1, 2^53, 2^52), run(1e15, 1e15 + 3, 1), run(-0.0, 0, 1))
-- expect: [1.0 4.5035996273705e+15 9.007199254741e+15]	[1e+15 1e+15 1e+15 1e+15]	[-0.0]
print(run(1.5, 1.5, 1), run(1.5, 1.4, 1))  -- expect: [1.5]	[]
