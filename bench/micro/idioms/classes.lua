-- What libraries of classes do: inheritance, super calls, mixins, constructors, tests of types.

--- A class as libraries make them: called to make an object, methods found by __index.
local function class(super)
  local made = { super = super }
  made.__index = made
  return setmetatable(made, {
    __index = super,
    __call = function(self, ...)
      local object = setmetatable({}, self)
      object:initialize(...)
      return object
    end,
  })
end

local function animals()
  local Animal = class()
  function Animal:initialize(weight) self.weight = weight end
  function Animal:heavier(by) return self.weight + by end
  function Animal:is_a(wanted)
    local at = getmetatable(self)
    while at do
      if at == wanted then return true end
      at = at.super
    end
    return false
  end
  local Dog = class(Animal)
  function Dog:initialize(weight, age)
    Dog.super.initialize(self, weight)
    self.age = age
  end
  function Dog:heavier(by) return Dog.super.heavier(self, by) + 1 end
  local Puppy = class(Dog)
  function Puppy:heavier(by) return Puppy.super.heavier(self, by) + 1 end
  return Animal, Dog, Puppy
end

return function(idiom)
  idiom("inherited_3_levels", 10000, 10000, function(n)
    local A = {}
    A.__index = A
    function A:get() return self.x end
    local B = setmetatable({}, A)
    B.__index = B
    local C = setmetatable({}, B)
    C.__index = C
    local object = setmetatable({ x = 1 }, C)
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + object:get() end
      return sum
    end
  end)

  idiom("inherited_3_levels_own_metatables", 10000, 10000, function(n)
    local A = {}
    function A:get() return self.x end
    local B = setmetatable({}, { __index = A })
    local C = setmetatable({}, { __index = B })
    local objects = {}
    for i = 1, 50 do objects[i] = setmetatable({ x = 1 }, { __index = C }) end
    return function()
      local sum = 0
      for _ = 1, n / 50 do
        for i = 1, 50 do sum = sum + objects[i]:get() end
      end
      return sum
    end
  end)

  idiom("constructor_by_call", 2000, 2000 * 2001 / 2 + 2000, function(n)
    local _, Dog = animals()
    return function()
      local sum = 0
      for i = 1, n do
        local dog = Dog(i, 1)
        sum = sum + dog.weight + dog.age
      end
      return sum
    end
  end)

  idiom("super_calls", 5000, 5000 * 6, function(n)
    local _, _, Puppy = animals()
    local puppy = Puppy(3, 1)
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + puppy:heavier(1) end
      return sum
    end
  end)

  idiom("is_a", 5000, 5000, function(n)
    local Animal, _, Puppy = animals()
    local puppy = Puppy(3, 1)
    return function()
      local count = 0
      for _ = 1, n do
        if puppy:is_a(Animal) then count = count + 1 end
      end
      return count
    end
  end)

  idiom("getmetatable_compared", 10000, 5000, function(n)
    local Animal, Dog = animals()
    local all = { Animal(1), Dog(1, 1) }
    return function()
      local dogs = 0
      for i = 1, n do
        if getmetatable(all[i % 2 + 1]) == Dog then dogs = dogs + 1 end
      end
      return dogs
    end
  end)

  local function mixin(class_, with)
    for name, method in pairs(with) do class_[name] = method end
    return class_
  end
  local Movable = {
    move = function(self, by) self.at = self.at + by end, where = function(self) return self.at end,
    stop = function(self) self.at = 0 end, home = function(self) return self.at == 0 end,
  }

  idiom("mixin_methods", 10000, 10000, function(n)
    local Box = mixin({}, Movable)
    Box.__index = Box
    local box = setmetatable({ at = 0 }, Box)
    return function()
      box:stop()
      for _ = 1, n do box:move(1) end
      return box:where()
    end
  end)

  idiom("mixin_copied", 1000, 4000, function(n)
    return function()
      local sum = 0
      for _ = 1, n do
        for _, method in pairs(mixin({}, Movable)) do
          if method then sum = sum + 1 end
        end
      end
      return sum
    end
  end)

  idiom("accessors", 10000, 10000, function(n)
    local Point = {}
    Point.__index = Point
    function Point:get_x() return self.x end
    function Point:set_x(x) self.x = x end
    local point = setmetatable({ x = 0 }, Point)
    return function()
      point:set_x(0)
      for _ = 1, n do point:set_x(point:get_x() + 1) end
      return point:get_x()
    end
  end)

  --- Objects of four classes that have the same method, at one site.
  local function polymorphic(attach)
    return function(n)
      local classes, objects = {}, {}
      for kind = 1, 4 do
        local weight = kind % 2 + 1
        classes[kind] = { area = function(self) return self.size * weight end }
        classes[kind].__index = classes[kind]
      end
      for i = 1, 40 do objects[i] = attach({ size = 1 }, classes[i % 4 + 1]) end
      return function()
        local sum = 0
        for _ = 1, n / 40 do
          for i = 1, 40 do sum = sum + objects[i]:area() end
        end
        return sum
      end
    end
  end
  idiom("polymorphic_4_classes", 10000, 15000, polymorphic(setmetatable))
  idiom("polymorphic_4_classes_own_metatables", 10000, 15000, polymorphic(function(object, Class)
    return setmetatable(object, { __index = Class })
  end))

  idiom("class_of_30_methods", 9000, 3000 * 46, function(n)
    local Wide = {}
    Wide.__index = Wide
    for i = 1, 30 do Wide["method" .. i] = function(self) return self.base + i end end
    local object = setmetatable({ base = 0 }, Wide)
    return function()
      local sum = 0
      for _ = 1, n / 3 do sum = sum + object:method1() + object:method15() + object:method30() end
      return sum
    end
  end)

  idiom("delegation_to_an_object", 10000, 10000 * 2, function(n)
    local parent = { color = 2 }
    local child = setmetatable({ size = 1 }, { __index = parent })
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + child.color end
      return sum
    end
  end)

  idiom("class_variable", 10000, 10000, function(n)
    local Class = { made = 0 }
    Class.__index = Class
    return function()
      Class.made = 0
      for _ = 1, n do Class.made = Class.made + 1 end
      return Class.made
    end
  end)
end
