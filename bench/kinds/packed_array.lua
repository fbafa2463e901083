-- group: kinds
-- A three-dimensional array in one table: heat that spreads through a box, x + width * (y + height * z) for each access.
local scale = tonumber((...)) or 1

local Box = {}
Box.__index = Box

local function new_box(width, height, depth, value)
  local cells = {}
  for i = 1, width * height * depth do cells[i] = value end
  return setmetatable({ width = width, height = height, depth = depth, cells = cells }, Box)
end

function Box:get(x, y, z) return self.cells[x + self.width * (y + self.height * z) + 1] end
function Box:set(x, y, z, value) self.cells[x + self.width * (y + self.height * z) + 1] = value end

local function spread(from, to)
  for z = 1, from.depth - 2 do
    for y = 1, from.height - 2 do
      for x = 1, from.width - 2 do
        local around = from:get(x - 1, y, z) + from:get(x + 1, y, z) + from:get(x, y - 1, z) + from:get(x, y + 1, z) +
                       from:get(x, y, z - 1) + from:get(x, y, z + 1)
        to:set(x, y, z, (around + 2 * from:get(x, y, z)) / 8)
      end
    end
  end
end

local here, there = new_box(34, 34, 18, 0), new_box(34, 34, 18, 0)
here:set(17, 17, 9, 1e6)
for _ = 1, math.ceil(40 * scale) do
  spread(here, there)
  here, there = there, here
end
local sum = 0
for i = 1, #here.cells do sum = sum + here.cells[i] end
print(("%.6f %.9f"):format(sum, here:get(17, 17, 9)))
