-- Objects with a metatable each, which say the same, until some of them say something else.

local Point = {}
function Point:sum() return self.x + self.y end
local Other = { sum = function() return "other" end }

local function new(class, x) return setmetatable({ x = x, y = 1 }, { __index = class }) end
local function sums(list)
  local all = {}
  for i, each in ipairs(list) do all[i] = tostring(each:sum()) end
  return table.concat(all, " ")
end

local list = {}
for i = 1, 6 do list[i] = new(Point, i) end
print(sums(list))                                        -- expect: 2 3 4 5 6 7
print(getmetatable(list[1]) == getmetatable(list[2]))    -- expect: false
print(getmetatable(list[3]).__index == Point)            -- expect: true

-- One changes its mind, in the middle of a loop that all go through.
for round = 1, 60 do
  if round == 40 then getmetatable(list[3]).__index = Other end
  if round == 50 then getmetatable(list[3]).__index = Point end
  if round == 55 then getmetatable(list[5]).__index = function(_, key) return function() return key end end end
  local line = sums(list)
  if round == 39 or round == 40 or round == 50 or round == 60 then print(line) end
end
-- expect: 2 3 4 5 6 7
-- expect: 2 3 other 5 6 7
-- expect: 2 3 4 5 6 7
-- expect: 2 3 4 5 sum 7

-- New ones are not touched by what others became, and are members again.
for i = 7, 9 do list[i] = new(Point, i) end
print(sums(list))                                        -- expect: 2 3 4 5 sum 7 8 9 10

-- A metatable that comes to say what a class says; and one that is emptied.
local late = {}
local object = setmetatable({ x = 20, y = 1 }, late)
print(pcall(function() return object:sum() end))         -- expect: false	own_metatables.lua:40: attempt to call a nil value (method 'sum')
late.__index = Point
print(object:sum())                                      -- expect: 21
late.__index = nil
print(object.sum)                                        -- expect: nil

-- A key that shadows the class's; a property that is nil is looked for in the class.
list[1].sum = function() return "own" end
print(sums { list[1], list[2] })                         -- expect: own 3
list[1].sum = nil
print(sums { list[1], list[2] })                         -- expect: 2 3
local function value_of(o) return o.value end
local values = {}
for i = 1, 40 do
  local o = new(Point, i)
  o.value = i
  o.value = nil
  if i == 30 then Point.value = "of the class" end
  values[i] = tostring(value_of(o))
end
print(values[1], values[29], values[30], values[40])     -- expect: nil	nil	of the class	of the class

-- __newindex that comes later, for one of many; and goes.
local log = {}
local function fill(o, i) o.fresh = i end
for i = 1, 50 do
  local o = new(Other, i)
  if i == 35 then getmetatable(o).__newindex = function(_, key, v) log[#log + 1] = key .. v end end
  fill(o, i)
  if i >= 34 and i <= 36 then log[#log + 1] = tostring(rawget(o, "fresh")) end
end
print(table.concat(log, " "))                            -- expect: 34 fresh35 nil 36

-- Operators by closures made for each object.
local function number(n)
  return setmetatable({ n = n }, {
    __add = function(a, b) return n + (type(b) == "table" and b.n or b) end,
    __eq = function(a, b) return a.n == b.n end,
    __lt = function(a, b) return a.n < b.n end,
    __le = function(a, b) return a.n <= b.n end,
    __len = function() return n end,
    __call = function(_, m) return n * m end,
    __concat = function(a, b) return "<" .. n .. ">" end,
    __unm = function() return -n end,
    __tostring = function() return "number " .. n end,
  })
end
local total = 0
for i = 1, 60 do
  local a, b = number(i), number(i + 1)
  if i == 45 then getmetatable(a).__add = function() return 1000 end end
  if i == 50 then getmetatable(a).__len = nil end
  total = total + (a + b) + #a + a(2) - -a + (a == b and 1 or 0) + (a < b and 1 or 0) + (b <= a and 1 or 0) + #(a .. b)
end
print(total, tostring(number(7)))                        -- expect: 12190	number 7

-- Inheritance by objects: each prototype is another's.
local base = { name = "base", hello = function(self) return self.name end }
local chain = base
for i = 1, 5 do chain = setmetatable({ name = "level " .. i }, { __index = chain }) end
local leaf = setmetatable({}, { __index = chain })
local seen = {}
for i = 1, 30 do
  if i == 20 then chain.hello = function(self) return "new " .. self.name end end
  if i == 25 then chain.name = nil end
  seen[i] = leaf:hello()
end
print(seen[19], seen[20], seen[25])                      -- expect: level 5	new level 5	new level 4

-- Metatables that are weak forget their __index without a store. (Compiled loops keep what __index leads to.)
local weak = {}
local held = { { kept = 1 }, { kept = 2 }, { kept = 3 } }
for i = 1, 3 do weak[i] = setmetatable({}, setmetatable({ __index = held[i] }, { __mode = "v" })) end
local function kept(o) return o.kept end
print(kept(weak[1]), kept(weak[2]), kept(weak[3]))       -- expect: 1	2	3
held = nil
collectgarbage() collectgarbage()
print(kept(weak[1]), kept(weak[2]), kept(weak[3]))       -- expect: nil	nil	nil

-- Finalizers of each object, and metatables that are not kept alive by what is known of them: at most one, where compiled code
-- has met no other.
local finalized = 0
local watch = setmetatable({}, { __mode = "k" })
for i = 1, 20 do
  local metatable = { __index = Point, __gc = function() finalized = finalized + 1 end }
  watch[metatable] = true
  local o = setmetatable({ x = i, y = 2 }, metatable)
  if o:sum() ~= i + 2 then print("wrong") end
end
collectgarbage() collectgarbage()
local kept_alive = 0
for _ in pairs(watch) do kept_alive = kept_alive + 1 end
print(finalized, kept_alive <= 1)                        -- expect: 20	true
