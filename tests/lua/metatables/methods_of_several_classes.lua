-- Call sites that meet objects of several classes, whose methods and fields change while they are hot.
local function class(base)
  local c = {}
  c.__index = c
  return setmetatable(c, { __index = base })
end
local Base = class()
function Base:size() return 1 end
function Base:twice() return 2 * self:size() end
local A, B, C, D, E = class(Base), class(Base), class(Base), class(Base), class(Base)
function A:size() return self.n end
function B:size() return self.n * 0.5 end
function C:size() return #self.name end
function D:size() return self.n + (self.extra or 0) end
local objects = {
  setmetatable({ n = 1 }, A), setmetatable({ n = 2 }, B), setmetatable({ name = "abc" }, C), setmetatable({ n = 4 }, D),
}
local function total(rounds)
  local sum = 0
  for i = 1, rounds do
    local object = objects[i % #objects + 1]
    sum = sum + object:twice()
    if object.n then object.n = object.n + 1 end
  end
  return sum
end
print(total(2000))  -- expect: 632750.0
objects[#objects + 1] = setmetatable({}, E)
print(total(2000))  -- expect: 1407000.0
function Base:twice() return 3 * self:size() end
D.extra = 7
print(total(2000))  -- expect: 3318900.0
objects[1].size = function() return 10 end
setmetatable(objects[2], { __index = function(_, key) return key == "twice" and function() return 1 end or nil end })
print(total(2000))  -- expect: 1829800
