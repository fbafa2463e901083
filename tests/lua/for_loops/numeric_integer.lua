-- Integer loops: bounds, steps, empty loops, copies of the variable (manual 3.3.5).
local function run(a, b, c) local out = {} for i = a, b, c or 1 do out[#out + 1] = tostring(i) end return '[' .. table.concat(out, ' ') .. ']' end
print(run(1, 3), run(3, 1), run(3, 1, -1), run(1, 10, 3), run(10, 1, -4), run(1, 1), run(0, -1), run(5, 5, -1))
-- expect: [1 2 3]	[]	[3 2 1]	[1 4 7 10]	[10 6 2]	[1]	[]	[5]
for i = 1, 3 do i = i * 10 io.write(i, ' ') end
print()  -- expect: 10 20 30
local limit = 3
for i = 1, limit do limit = 10 io.write(i, ' ') end
print()  -- expect: 1 2 3
for i = 1, 0 do print('never') end
for i = 3, 1 do print('never') end
local i = 'outer'
for i = 1, 1 do end
print(i)  -- expect: outer
print(pcall(function() for i = 1, 10, 0 do end end))
-- expect: false	numeric_integer.lua:15: 'for' step is zero
print(pcall(function() for i = 1.0, 10, 0 do end end))
-- expect: false	numeric_integer.lua:17: 'for' step is zero
