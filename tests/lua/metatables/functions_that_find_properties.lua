-- __index and __newindex that are Lua functions, at sites that run often: behind one table and behind several, for two shapes at a site and
-- for many, for names in registers; they change, fail, yield and recurse in the middle of a loop.
local N = 200

-- Directly, and what it is called with.
local function find(object, key) return key .. object.id end
local one = setmetatable({ id = 1 }, { __index = find })
local text = ""
for i = 1, N do
  text = one.name
  if i == N - 1 then one.id = 7 end
end
print(text, rawget(one, "name"))               -- expect: name7	nil

-- Behind tables that lack the property: the function gets the table whose metatable has it.
local found = {}
local last = setmetatable({ id = "last" }, { __index = function(object, key)
  found[object.id] = (found[object.id] or 0) + 1
  return #key > 3 and function(self, more) return self == object and 0 or more end or #key
end })
local middle = setmetatable({ other = 1 }, { __index = last })
local object = setmetatable({}, { __index = middle })
local sum = 0
for i = 1, N do sum = sum + object.abc + object:long(i) end
print(sum, found.last, object.id)              -- expect: 20700	400	last

-- What lies between gets the property, loses it, and gets another metatable.
local log = {}
for i = 1, N do
  local value = object.abc
  if log[#log] ~= value then log[#log + 1] = value end
  if i == 40 then middle.abc = "middle" end
  if i == 80 then middle.abc = nil end
  if i == 120 then setmetatable(middle, { __index = function() return "new" end }) end
  if i == 160 then setmetatable(middle, nil) end
end
print(#log, table.concat(log, " "))            -- expect: 4	3 middle 3 new
print(object.abc)                              -- expect: nil

-- The function is another one, none, a table, one of C.
local changing = setmetatable({}, {})
log = {}
local kinds = { function() return "first" end, function(_, k) return k end, { x = "table" }, rawget, function() end }
for i = 1, N do
  local value = tostring(changing.x)
  if log[#log] ~= value then log[#log + 1] = value end
  if i % 33 == 0 then getmetatable(changing).__index = kinds[i // 33] end
end
print(table.concat(log, " "))                  -- expect: nil first x table nil

-- Two shapes and six at one site, names in registers.
local function objects_of(count)
  local all = {}
  for i = 1, count do
    all[i] = setmetatable({ ["field" .. i] = i, id = i }, { __index = function(o, k) return #k * 100 + o.id end })
  end
  return all
end
for _, count in ipairs { 2, 6, 30 } do
  local all, total, computed = objects_of(count), 0, 0
  for i = 1, N do
    local o = all[i % count + 1]
    total = total + o.some
    local key = i % 2 == 0 and "ab" or "abc"
    computed = computed + o[key] - o.id
  end
  print(total, computed)
end
-- expect: 80300	50000
-- expect: 80698	50000
-- expect: 83020	50000

-- Stores, by field name and by a name in a register; a property that is there is stored.
local stored, raw = 0, 0
local proxy = setmetatable({ there = 0 }, { __newindex = function(t, k, v) stored = stored + v if v == 150 then rawset(t, k, v) end end })
for i = 1, N do
  proxy.there = i
  proxy.absent = i
  if rawget(proxy, "absent") then raw = raw + 1 end
end
print(stored, raw, proxy.there, proxy.absent)  -- expect: 11325	51	200	200
proxy.absent = nil
stored = 0
for i = 1, N do
  local key = i % 2 == 0 and "k" or "m"
  proxy[key] = i
  proxy.absent = 1
end
print(stored, proxy.k, proxy.m)                -- expect: 15900	200	nil

-- Errors name the field and leave the site usable; the traceback has the metamethod.
local failing = setmetatable({}, { __index = function(_, k) if k == "bad" then error("no " .. k, 0) end return debug.traceback("x", 1) end })
local failures = 0
for i = 1, N do
  local ok, message = pcall(function() return failing.bad end)
  if not ok and message == "no bad" then failures = failures + 1 end
end
print(failures, (failing.good:find("in metamethod 'index'", 1, true)) ~= nil)   -- expect: 200	true

-- A yield in the middle.
local yielding = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end, __newindex = function(_, k, v) coroutine.yield(k .. v) end })
local thread = coroutine.wrap(function()
  local got = 0
  for i = 1, 60 do
    got = got + yielding.value
    yielding.out = i
  end
  return got
end)
local seen, answer = {}, thread()
for i = 1, 60 do
  seen[answer] = (seen[answer] or 0) + 1
  answer = thread(i)
  seen[answer] = (seen[answer] or 0) + 1
  answer = thread()
end
print(answer, seen.value, seen.out1, seen.out60)   -- expect: 1830	60	1	1

-- Recursion, to the limit of nested calls.
local depth = 0
local deep = setmetatable({}, {})
getmetatable(deep).__index = function(t, k) depth = depth + 1 if k == 0 then return "end" end return t.next end
local ok, message = pcall(function() return deep.next end)
print(ok, depth > 150, message:find("overflow") ~= nil)   -- expect: false	true	true

-- Constructors by __call, which find the rest by functions.
local function class(name, super)
  local static = setmetatable({}, { __index = function(_, k) if super then return super[k] end end })
  local made = { name = name }
  made.__index = made
  return setmetatable(made, { __index = static, __call = function(self, ...) return self.new(self, ...) end })
end
local Base = class("Base")
function Base.new(self, x) return setmetatable({ x = x }, self) end
local Derived = class("Derived", Base)
function Derived:twice() return self.x * 2 end
local all = 0
for i = 1, N do
  local o = Derived(i)
  all = all + o:twice()
  if i == 150 then Base.new = function(self, x) return setmetatable({ x = -x }, self) end end
end
print(all)                                     -- expect: 5100
