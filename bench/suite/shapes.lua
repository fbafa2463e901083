-- group: objects
-- A drawing full of shapes: classes by metatables, two levels of inheritance, and calls that meet many
-- classes.
local scale = tonumber((...)) or 1

local function class(base)
  local methods = setmetatable({}, { __index = base })
  methods.__index = methods
  return methods
end

local Shape = class()
function Shape:area() return 0 end
function Shape:move(dx, dy) self.x, self.y = self.x + dx, self.y + dy end
function Shape:weight() return self:area() + self.x - self.y end

local Rectangle = class(Shape)
function Rectangle.new(x, y, width, height)
  return setmetatable({ x = x, y = y, width = width, height = height }, Rectangle)
end
function Rectangle:area() return self.width * self.height end

local Square = class(Rectangle)
function Square.new(x, y, side) return setmetatable({ x = x, y = y, width = side, height = side }, Square) end
function Square:grow() self.width, self.height = self.width % 9 + 1, self.height % 9 + 1 end

local Triangle = class(Shape)
function Triangle.new(x, y, base, height)
  return setmetatable({ x = x, y = y, base = base, tall = height }, Triangle)
end
function Triangle:area() return self.base * self.tall * 0.5 end

local Group = class(Shape)
function Group.new(x, y) return setmetatable({ x = x, y = y, members = {} }, Group) end
function Group:add(shape) self.members[#self.members + 1] = shape end
function Group:area()
  local sum = 0
  for _, member in ipairs(self.members) do sum = sum + member:area() end
  return sum
end

local function drawing()
  local all, group = {}, Group.new(0, 0)
  for i = 1, 120 do
    local kind, shape = i % 4, nil
    if kind == 0 then
      shape = Rectangle.new(i, 2 * i, i % 5 + 1, i % 3 + 1)
    elseif kind == 1 then
      shape = Square.new(2 * i, i, i % 7 + 1)
    elseif kind == 2 then
      shape = Triangle.new(i, i, 2 * (i % 6) + 2, i % 4 + 1)
    else
      shape = Square.new(i, i, 3)
      group:add(shape)
    end
    all[i] = shape
  end
  all[#all + 1] = group
  return all
end

local function animate(frames)
  local all, total = drawing(), 0
  for frame = 1, frames do
    for i = 1, #all do
      local shape = all[i]
      shape:move(frame % 3, i % 2)
      if shape.grow then shape:grow() end
      total = (total + shape:weight()) % 1000003
    end
  end
  return total
end

for _ = 1, math.max(1, math.floor(280 * scale)) do
  assert(animate(100) == 626973)
end
