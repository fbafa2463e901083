-- A hot access goes on while everything its result depends on changes: __index, __newindex, holders, metatables, raw stores.
local function get(t) return t.x end
local function set(t, v) t.x = v end
local function call(t) return t:name() end
local function warm(t) for _ = 1, 10 do get(t) end end

local base = { x = 'base', name = function() return 'base' end }
local class = { __index = base }
local object = setmetatable({}, class)
warm(object)
print(get(object), call(object))
base.x = 'changed'
print(get(object))
base.x = nil
print(get(object))
base.x = 'again'
class.x = 'not looked at'
print(get(object))
class.__index = { x = 'other' }
print(get(object))
class.__index = function(_, key) return 'function ' .. key end
print(get(object))
class.__index = nil
print(get(object))
rawset(class, '__index', base)
print(get(object))
-- expect: base	base
-- expect: changed
-- expect: nil
-- expect: again
-- expect: other
-- expect: function x
-- expect: nil
-- expect: again

-- A table between receiver and holder gets the key, loses it, gets another metatable.
local top = { x = 'top' }
local middle = setmetatable({}, { __index = top })
local bottom = setmetatable({}, { __index = middle })
warm(bottom)
print(get(bottom))
middle.x = 'middle'
print(get(bottom))
rawset(middle, 'x', nil)
warm(bottom)
print(get(bottom))
setmetatable(middle, { __index = { x = 'elsewhere' } })
print(get(bottom))
setmetatable(middle, nil)
print(get(bottom))
-- expect: top
-- expect: middle
-- expect: top
-- expect: elsewhere
-- expect: nil

-- Absence is no promise either.
local far = {}
local absent = setmetatable({}, { __index = far })
warm(absent)
print(get(absent))
far.x = 1
print(get(absent))
absent.x = 2
print(get(absent))
absent.x = nil
print(get(absent))
-- expect: nil
-- expect: 1
-- expect: 2
-- expect: 1

-- __newindex comes and goes while stores are hot; a property that holds nil asks it again.
local log = {}
local meta = {}
local function fresh() return setmetatable({ y = 1 }, meta) end
for i = 1, 30 do
  if i == 10 then meta.__newindex = function(t, k, v) log[#log + 1] = k .. v rawset(t, k, -v) end end
  if i == 20 then meta.__newindex = nil end
  local t = fresh()
  set(t, i)
  assert(rawget(t, 'x') == ((i < 10 or i >= 20) and i or -i))
  set(t, 100)
  assert(rawget(t, 'x') == 100)
  set(t, nil)
  set(t, 7)
  assert(rawget(t, 'x') == ((i < 10 or i >= 20) and 7 or -7))
end
print(#log, log[1], log[2], log[20])
-- expect: 20	x10	x7	x7

-- The metatable itself is swapped inside the loop, and the object is its own metatable for a while.
local seen = {}
local shifting = {}
local one, two = { __index = { x = 'one' } }, { __index = { x = 'two' } }
for i = 1, 40 do
  if i % 5 == 0 then setmetatable(shifting, i % 2 == 0 and one or two) end
  if i % 7 == 0 then setmetatable(shifting, nil) end
  if i == 33 then shifting.__index = { x = 'self' } setmetatable(shifting, shifting) end
  seen[#seen + 1] = tostring(get(shifting)):sub(1, 1)
end
print(table.concat(seen))
-- expect: nnnnttnnnoooontttttonnnntttnnooossnnnnno

-- __index of strings.
local mt = getmetatable('')
local old = mt.__index
local function shout(s) return s:upper() end
for i = 1, 12 do
  if i == 6 then mt.__index = { upper = function(s) return s .. '!' end } end
  if i == 9 then mt.__index = function(s, key) return function() return s .. key end end end
  if i == 11 then mt.__index = old end
  io.write(shout('a'), ' ')
end
print("end")
-- expect: A A A A A a! a! a! aupper aupper A A end
