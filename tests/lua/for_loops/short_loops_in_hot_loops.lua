-- Outer loops with short inner ones: trips that follow a pattern, loops that are left early, inner loops of all kinds, and
-- then trips and types that nobody has seen before.
local function numeric(n, trips)
  local sum = 0
  for i = 1, n do
    for j = 1, trips[i % #trips + 1] do
      sum = sum + i * j
      if sum % 97 == 0 then break end
    end
  end
  return sum
end

local function backwards(n, width)
  local sum = 0
  for i = 1, n do
    local left = i % width
    while left > 0 do
      sum = (sum * 3 + left) % 65521
      left = left - 1
    end
    repeat
      left = left + 2
      sum = sum + left
    until left > 3
  end
  return sum
end

local function lists(list, n)
  local count, last = 0, nil
  for i = 1, n do
    for k, v in ipairs(list[i % #list + 1]) do
      count, last = count + k, v
    end
    for k in pairs(list[1]) do
      if k == 2 then goto continue end
      count = count + 1
    end
    ::continue::
  end
  return count, last
end

local function deep(n, size)
  local sum = 0
  for i = 1, n do
    for j = 1, size do
      for k = j, size do sum = sum + i * j - k end
    end
  end
  return sum
end

for _ = 1, 6 do
  print(numeric(2000, { 3, 0, 1, 2 }), backwards(2000, 4), deep(500, 3))
  print(lists({ { 1, 2 }, { 'a' }, {}, { 1.5, 2, 3 } }, 800))
end
print(numeric(300, { 40, 0, 3 }), numeric(300, { 2.5, 1 }), backwards(300, 40), deep(60, 12), deep(60, 2.5))
print(lists({ { 1, nil, 3 }, setmetatable({}, { __index = function(_, k) if k < 4 then return k end end }) }, 90))
print(pcall(numeric, 100, { 1, 'x' }), pcall(backwards, 100, {}), pcall(lists, { 1, {} }, 10))
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 4971034	50400	1245500
-- expect: 2800	2
-- expect: 9667158	90158	19827	627120	7020
-- expect: 495	1
-- expect: false	false	false	short_loops_in_hot_loops.lua:36: bad argument #1 to 'for iterator' (table expected, got number)
