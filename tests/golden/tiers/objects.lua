-- Methods of two classes, and a table for each call that is never made.
local Circle, Square = {}, {}
Circle.__index, Square.__index = Circle, Square
function Circle:area() return self.r * self.r * 3 end
function Square:area() return self.a * self.a end

local function add(a, b) return { x = a.x + b.x, y = a.y + b.y } end

local shapes, sum = { setmetatable({ r = 1 }, Circle), setmetatable({ a = 2 }, Square) }, 0
for i = 1, 100000 do
  local point = add({ x = i, y = 1 }, { x = 1, y = i })
  sum = sum + shapes[i % 2 + 1]:area() + point.x - point.y
end
print(sum)
