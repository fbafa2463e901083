-- Loops over ipairs and pairs inside hot loops: elements of all kinds, holes, elements that come from elsewhere, and early ends.
local function sum(t)
  local s, last = 0, 0
  for i, v in ipairs(t) do s, last = s + v, i end
  return s, last
end
local integers, floats, mixed = {}, {}, {}
for i = 1, 20 do integers[i], floats[i], mixed[i] = i, i / 2, i % 2 == 0 and i or i / 4 end
local function all(n)
  local a, b, c, lasts = 0, 0, 0, 0
  for _ = 1, n do
    local x, i = sum(integers)
    local y, j = sum(floats)
    local z, k = sum(mixed)
    a, b, c, lasts = a + x, b + y, c + z, lasts + i + j + k
  end
  return a, b, c, lasts
end
print(all(300))  -- expect: 63000	31500.0	40500.0	18000

-- Beyond the array: a hash part, and __index.
local behind = {}
behind[3], behind[2], behind[1] = 3, 2, 1
local proxy = setmetatable({ 1, 2 }, { __index = function(_, i) if i <= 6 then return 10 * i end end })
local short = { 1, 2, nil, 4 }
local function others(n)
  local total, ends = 0, 0
  for i = 1, n do
    local list = i % 3 == 0 and behind or i % 3 == 1 and proxy or short
    local s, last = sum(list)
    total, ends = total + s, ends + last
  end
  return total, ends
end
print(others(900))  -- expect: 57600	3300

-- What closes: variables captured by closures of the body, and a value of the loop's own.
local function captures(list)
  local made = {}
  for i, v in ipairs(list) do
    made[i] = function() v = v + 1 return v end
    if i == 5 then break end
  end
  return made[1]() + made[5]() + made[1]()
end
local closed = 0
local function closes(n)
  local guard = setmetatable({}, { __close = function() closed = closed + 1 end })
  local steps = 0
  for i in function(_, k) if k < n then return k + 1 end end, nil, 0, guard do
    steps = steps + i
    if i == 3 then break end
  end
  return steps
end
local function first_above(list, limit)
  for i, v in ipairs(list) do
    if v > limit then return i, v end
  end
end
local c, d, e = 0, 0, 0
for i = 1, 600 do
  c = c + captures(integers)
  d = d + closes(i % 6)
  local at = first_above(floats, i % 12)
  e = e + (at or 100)
end
print(c, d, e, closed)  -- expect: 6600	2200	15000	600

-- The list changes while it is walked over.
local function grows(n)
  local list, seen = { 1 }, 0
  for i, v in ipairs(list) do
    seen = seen + v
    if i < n then list[i + 1] = i + 1 end
    if i == n // 2 then list[i + 1] = i + 0.5 end
  end
  return seen
end
local g = 0
for i = 1, 300 do g = g + grows(i % 30 + 2) end
print(g)  -- expect: 54400.0

local function keys(t)
  local n = 0
  for k, v in pairs(t) do
    if type(k) == "number" then n = n + k end
    if v == "stop" then break end
  end
  return n
end
local p = 0
for i = 1, 600 do p = p + keys({ i, i, x = 1, y = 2, [i + 10] = i }) end
print(p)  -- expect: 188100
