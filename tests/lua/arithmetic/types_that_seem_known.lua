-- Variables that begin as integers and do not stay so.
local function halves(n)
  local x = 0
  for i = 1, n do
    x = x + i
    if i == n // 2 then x = x + 0.5 end
  end
  return x
end
print(halves(3), halves(100), halves(1))  -- expect: 6.5	5050.5	1

-- A closure changes a variable behind the back of the loop.
local function captured(value)
  local x = 1
  local function change() x = value end
  local seen = {}
  for i = 1, 4 do
    if i == 3 then change() end
    seen[i] = x + 1
  end
  return table.concat(seen, ' ')
end
print(captured(5), captured(0.5), captured('7'))  -- expect: 2 2 6 6	2 2 1.5 1.5	2 2 8 8
print(pcall(captured, {}))  -- expect: false	types_that_seem_known.lua:19: attempt to perform arithmetic on a table value (local 'x')

-- Jumps join paths on which a variable has different types.
local function joined(which)
  local x
  if which == 1 then x = 1 elseif which == 2 then x = 1.5 elseif which == 3 then x = '3' else x = nil end
  local y = 10
  y = y * (x or 2)
  return y
end
print(joined(1), joined(2), joined(3), joined(4))  -- expect: 10	15.0	30	20

local function around(n)
  local x, y, z = 0, 1.5, 'text'
  while n > 0 do
    x, y, z = y, z, x
    n = n - 1
  end
  return x, y, z
end
print(around(0))  -- expect: 0	1.5	text
print(around(1))  -- expect: 1.5	text	0
print(around(2))  -- expect: text	0	1.5

-- Loops of integers, of floats, and of either.
local function loop(start, limit)
  local sum = 0
  for i = start, limit do
    local twice = i + i
    i = twice .. ''
    sum = sum + twice + #i
  end
  return sum
end
print(loop(1, 3), loop(1.0, 3), loop(1, 3.5), loop(-3, 1))  -- expect: 15	21.0	15	-2

-- The results of metamethods, also of numbers.
local object = setmetatable({}, { __add = function() return 'added' end, __lt = function() return true end })
local function twice(x)
  local y = x + 1
  return y .. '', x < 1
end
print(twice(1), twice(object))  -- expect: 2	added	true
debug.setmetatable(0, { __band = function() return 'no bits' end, __idiv = function() return 'never' end })
local function bits(y)
  local x = 1.5
  local z = x & y
  return z
end
print(bits(1), pcall(function(x) return x // 0 end, 1))
-- expect: no bits	false	types_that_seem_known.lua:73: attempt to divide by zero
debug.setmetatable(0, nil)
