-- Objects: methods, fields, metamethods.
local function counter_class()
  local Counter = {}
  Counter.__index = Counter
  function Counter:increment() self.count = self.count + 1 end
  return Counter
end

--- `many` objects that take turns; attach(object, class) gives one a metatable.
local function take_turns(many, attach)
  return function(operations)
    local Counter = counter_class()
    local objects = {}
    for i = 1, many do objects[i] = attach({ count = 0 }, Counter) end
    return function()
      for _ = 1, operations / many do
        for i = 1, many do objects[i]:increment() end
      end
      local sum = 0
      for i = 1, many do sum, objects[i].count = sum + objects[i].count, 0 end
      return sum
    end
  end
end

local function shared(object, class) return setmetatable(object, class) end
local function own(object, class) return setmetatable(object, { __index = class }) end

return function(idiom)
  idiom("method_shared_metatable", 10000, 10000, take_turns(50, shared))
  idiom("method_own_metatable", 10000, 10000, take_turns(50, own))
  idiom("method_shared_10000_objects", 10000, 10000, take_turns(10000, shared))
  idiom("method_own_10000_objects", 10000, 10000, take_turns(10000, own))

  idiom("new_shared_metatable", 2000, 2000, function(n)
    local Counter = counter_class()
    return function()
      local sum = 0
      for _ = 1, n do
        local object = setmetatable({ count = 0 }, Counter)
        object:increment()
        sum = sum + object.count
      end
      return sum
    end
  end)

  idiom("new_own_metatable", 2000, 2000, function(n)
    local Counter = counter_class()
    return function()
      local sum = 0
      for _ = 1, n do
        local object = setmetatable({ count = 0 }, { __index = Counter })
        object:increment()
        sum = sum + object.count
      end
      return sum
    end
  end)

  local function closure_counter(count)
    local self = { count = count }
    function self.increment() self.count = self.count + 1 end
    function self.get() return self.count end
    return self
  end

  idiom("closures_as_methods", 10000, 10000, function(n)
    local objects = {}
    for i = 1, 20 do objects[i] = closure_counter(0) end
    return function()
      for _ = 1, n / 20 do
        for i = 1, 20 do objects[i].increment() end
      end
      local sum = 0
      for i = 1, 20 do sum, objects[i].count = sum + objects[i].get(), 0 end
      return sum
    end
  end)

  idiom("closures_as_methods_new", 2000, 2000 * 2001 / 2 + 2000, function(n)
    return function()
      local sum = 0
      for i = 1, n do
        local object = closure_counter(i)
        object.increment()
        sum = sum + object.get()
      end
      return sum
    end
  end)

  idiom("index_function", 5000, 15000, function(n)
    local object = setmetatable({}, { __index = function(_, key) return #key end })
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + object.foo end
      return sum
    end
  end)

  idiom("newindex_function", 5000, 5000, function(n)
    local stored = {}
    local object = setmetatable({}, { __newindex = function(_, key, value) stored[key] = value end })
    return function()
      for i = 1, n do object.foo = i end
      return stored.foo
    end
  end)

  idiom("getters", 5000, 5000 * 12, function(n)
    local getters = { area = function(self) return self.width * self.height end }
    local methods = {}
    local metatable = { __index = function(self, key)
      local getter = getters[key]
      if getter then return getter(self) end
      return methods[key]
    end }
    local object = setmetatable({ width = 3, height = 4 }, metatable)
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + object.area end
      return sum
    end
  end)

  local Vector = {}
  Vector.__index = Vector
  Vector.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector) end
  Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
  Vector.__lt = function(a, b) return a.x < b.x end
  Vector.__unm = function(a) return setmetatable({ x = -a.x, y = -a.y }, Vector) end
  local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end

  idiom("operator_add", 2000, 2000 * 0.75, function(n)
    local step = vector(0.5, 0.25)
    return function()
      local at = vector(0, 0)
      for _ = 1, n do at = at + step end
      return at.x + at.y
    end
  end)

  idiom("operator_compare", 5000, 2500, function(n)
    local points = { vector(1, 2), vector(2, 1), vector(1, 2), vector(2, 1) }
    return function()
      local equal, less = 0, 0
      for i = 1, n do
        if points[i % 4 + 1] == points[1] then equal = equal + 1 end
        if points[i % 2 + 1] < points[2] then less = less + 1 end
      end
      return (equal + less) / 2
    end
  end)

  idiom("operator_unary", 2000, 1000, function(n)
    return function()
      local point, positive = vector(1, 2), 0
      for _ = 1, n do
        point = -point
        if point.x > 0 then positive = positive + 1 end
      end
      return positive
    end
  end)

  idiom("call_metamethod", 10000, 10000 * 10001 / 2, function(n)
    local object = setmetatable({}, { __call = function(_, value) return value end })
    return function()
      local sum = 0
      for i = 1, n do sum = sum + object(i) end
      return sum
    end
  end)

  idiom("tostring_metamethod", 2000, 2000 * 5, function(n)
    local object = setmetatable({ name = "point" }, { __tostring = function(self) return self.name end })
    return function()
      local length = 0
      for _ = 1, n do length = length + #tostring(object) end
      return length
    end
  end)

  --- A site that meets tables of `many` shapes.
  local function shapes(many)
    return function(n)
      local objects = {}
      for i = 1, many do
        objects[i] = {}
        if i > 1 then objects[i]["extra" .. i] = true end
        objects[i].x = i
      end
      return function()
        local sum = 0
        for i = 1, n do sum = sum + objects[i % many + 1].x end
        return sum
      end
    end
  end
  idiom("fields_of_2_shapes", 12000, 12000 * 1.5, shapes(2))
  idiom("fields_of_4_shapes", 12000, 12000 * 2.5, shapes(4))
  idiom("fields_of_12_shapes", 12000, 12000 * 6.5, shapes(12))

  idiom("field_that_is_nil", 10000, 10000, function(n)
    local Node = {}
    Node.__index = Node
    local node = setmetatable({ value = 1, next = false }, Node)
    node.next = nil
    return function()
      local ends = 0
      for _ = 1, n do
        if node.next == nil then ends = ends + 1 end
      end
      return ends
    end
  end)

  idiom("field_that_is_absent", 10000, 10000, function(n)
    local Node = {}
    Node.__index = Node
    local node = setmetatable({ value = 1 }, Node)
    return function()
      local ends = 0
      for _ = 1, n do
        if not node.next then ends = ends + 1 end
      end
      return ends
    end
  end)

  idiom("identity_compared", 10000, 2500, function(n)
    local Node = {}
    Node.__index = Node
    local nodes = {}
    for i = 1, 4 do nodes[i] = setmetatable({ value = i }, Node) end
    return function()
      local found, wanted = 0, nodes[3]
      for i = 1, n do
        if nodes[i % 4 + 1] == wanted then found = found + 1 end
      end
      return found
    end
  end)

  idiom("plain_tables_compared", 10000, 2500, function(n)
    local nodes = { {}, {}, {}, {} }
    return function()
      local found, wanted = 0, nodes[3]
      for i = 1, n do
        if nodes[i % 4 + 1] == wanted then found = found + 1 end
      end
      return found
    end
  end)

  idiom("fields_added_to_new_object", 2000, 2000 * 2001 / 2 + 2000 * 5, function(n)
    local Point = {}
    Point.__index = Point
    function Point:initialize(x, y, z) self.x, self.y, self.z = x, y, z end
    return function()
      local sum = 0
      for i = 1, n do
        local point = setmetatable({}, Point)
        point:initialize(i, 2, 3)
        sum = sum + point.x + point.y + point.z
      end
      return sum
    end
  end)

  idiom("rawget_rawset", 10000, 10000, function(n)
    local object = setmetatable({ count = 0 }, { __index = error, __newindex = error })
    return function()
      rawset(object, "count", 0)
      for _ = 1, n do rawset(object, "count", rawget(object, "count") + 1) end
      return object.count
    end
  end)

  idiom("nested_fields", 10000, 10000 * 3, function(n)
    local config = { window = { frame = { width = 3 } } }
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + config.window.frame.width end
      return sum
    end
  end)
end
