-- The same loop run with integers, floats, and objects must follow the values it is given.
local function total(list, zero) local s = zero for _, v in ipairs(list) do s = s + v end return s end
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({x = (a.x or 0) + (b.x or 0)}, Vector) end
local function v(x) return setmetatable({x = x}, Vector) end
for round = 1, 3 do
  print(total({1, 2, 3}, 0), total({1.5, 2}, 0), total({'1', 2}, 0), total({v(1), v(2)}, v(0)).x, total({}, 'none'))
  -- expect: 6	3.5	3	3	none
  -- expect: 6	3.5	3	3	none
  -- expect: 6	3.5	3	3	none
end
local function loop(a, b, c) local n, last = 0 for i = a, b, c do n = n + 1 last = i end return n, last end
print(loop(1, 10, 1))  -- expect: 10	10
print(loop(1.0, 10, 1))  -- expect: 10	10.0
print(loop(10, 1, -1))  -- expect: 10	1
print(loop(1, 0, 1))  -- expect: 0	nil
print(pcall(loop, 1, 'x', 1))
-- expect: false	loop_types_change_between_runs.lua:13: bad 'for' limit (number expected, got string)
print(loop(1, 3, 0.5))  -- expect: 5	3.0
