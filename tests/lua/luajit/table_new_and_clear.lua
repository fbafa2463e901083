-- table.new and table.clear are LuaJIT's: functions that require returns, and that table has from then on.
print(table.new, table.clear)  -- expect: nil	nil
local new, clear = require 'table.new', require 'table.clear'
print(new == table.new, clear == table.clear, new == require 'table.new')  -- expect: true	true	true

local t = new(10, 4)
for i = 1, 20 do t[i] = i end
t.a, t.b, t[0.5], t[true] = 1, 2, 3, 4
print(#t, t.a, t[0.5], t[true])  -- expect: 20	1	3	4
print(select('#', clear(t)), next(t), #t, t.a, t[1], t[0.5])  -- expect: 0	nil	0	nil	nil	nil
t[1], t.b = 'x', 'y'
print(#t, t[1], t.b, t.a)  -- expect: 1	x	y	nil

-- In loops, with elements of every kind; the metatable stays, and metamethods are not called.
local function refill(object, n)
  local sum = 0
  for round = 1, n do
    for i = 1, 10 do object[i] = round % 3 == 0 and i or round % 3 == 1 and i / 2 or 'v' end
    object.name, object[round * 1000] = round, round
    sum = sum + #object + object.name
    clear(object)
    if next(object) ~= nil or object[1] ~= nil or object.name ~= nil then return 'not empty' end
  end
  return sum
end
print(refill({}, 200))  -- expect: 22100
local guarded = setmetatable({1, 2}, {__newindex = error, __len = function() return 42 end})
clear(guarded)
print(rawlen(guarded), #guarded, getmetatable(guarded) ~= nil)  -- expect: 0	42	true

-- Caches: methods found by __index, and metamethods, are gone when their tables are cleared.
local class = {}
local meta = {__index = class, __add = function() return 'added' end, __eq = function() return true end}
function class.get() return 'method' end
local object, other = setmetatable({}, meta), setmetatable({}, meta)
local function use() return object.get and object.get() or 'nothing', pcall(function() return object + 1 end), object == other end
for i = 1, 100 do use() end
print(use())  -- expect: method	true	true
clear(class)
print(use())  -- expect: nothing	true	true
function class.get() return 'again' end
print(use())  -- expect: again	true	true
for i = 1, 100 do use() end
clear(meta)
print(use())  -- expect: nothing	false	false
meta.__index = class
print(use())  -- expect: again	false	false

-- While it is traversed
local visited = 0
local full = {1, 2, 3, x = 1, y = 2, [0.5] = 1}
for k in pairs(full) do
  visited = visited + 1
  clear(full)
end
print(visited, next(full))  -- expect: 1	nil
print(pcall(clear))  -- expect: false	bad argument #1 to 'table.clear' (table expected, got no value)
print(pcall(new, 1, 'x'))  -- expect: false	bad argument #2 to 'table.new' (number expected, got string)
print(next(new(-1, -1)), #new(100000000, 100000000))  -- expect: nil	0

-- Their loaders need no argument: programs call them themselves. So do those of jit.
local preload = package.preload
print(preload['table.new']() == table.new, preload['table.clear']() == table.clear, preload['table.new']('another.name') == table.new)  -- expect: true	true	true
print(preload['jit']() == require 'jit', preload['jit.util']() == require 'jit.util', preload['jit.paths']() == require 'jit.paths')  -- expect: true	true	true
