-- Loops stop at the ends of the integer range instead of wrapping around.
local function run(a, b, c) local out = {} for i = a, b, c do out[#out + 1] = tostring(i) if #out > 5 then break end end return '[' .. table.concat(out, ' ') .. ']' end
local max, min = math.maxinteger, math.mininteger
print(run(max - 2, max, 1))  -- expect: [9223372036854775805 9223372036854775806 9223372036854775807]
print(run(max - 2, max, 2))  -- expect: [9223372036854775805 9223372036854775807]
print(run(max - 1, max, 5))  -- expect: [9223372036854775806]
print(run(min + 2, min, -1))  -- expect: [-9223372036854775806 -9223372036854775807 -9223372036854775808]
print(run(min + 2, min, -2))  -- expect: [-9223372036854775806 -9223372036854775808]
print(run(min, max, max))  -- expect: [-9223372036854775808 -1 9223372036854775806]
print(run(max, min, min))  -- expect: [9223372036854775807 -1]
print(run(1, max, max))  -- expect: [1]
print(run(max, max, 1), run(min, min, -1))  -- expect: [9223372036854775807]	[-9223372036854775808]
print(run(0, min, min), run(-1, min, min), run(min, max, min))  -- expect: [0 -9223372036854775808]	[-1]	[]
print(run(1, 3, max), run(3, 1, min))  -- expect: [1]	[3]
print(run(max - 1, 1e100, 1), run(min + 1, -1e100, -1))
-- expect: [9223372036854775806 9223372036854775807]	[-9223372036854775807 -9223372036854775808]
print(run(1, -1e100, 1), run(1, 1e100, -1))  -- expect: []	[]
