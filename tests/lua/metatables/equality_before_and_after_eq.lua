-- Different tables in a loop that gets compiled: without metatables, with such as have no __eq, on either side, and once they get one.
local function count(list, other, rounds)
  local equal, unequal = 0, 0
  for i = 1, rounds do
    if list[i % #list + 1] == other then equal = equal + 1 end
    if list[i % #list + 1] ~= other then unequal = unequal + 1 end
  end
  return equal, unequal
end

local plain, late, never = {}, {}, { __index = {} }
local a, b, c, d = {}, setmetatable({}, plain), setmetatable({}, late), setmetatable({}, never)
for _, other in ipairs { {}, setmetatable({}, plain), setmetatable({}, late), a, b, c } do
  print(count({ a, b, c, d }, other, 200))
end
-- expect: 0	200
-- expect: 0	200
-- expect: 0	200
-- expect: 50	150
-- expect: 50	150
-- expect: 50	150

-- The first operand's metamethod, else the second's.
local calls = 0
late.__eq = function(x, y)
  calls = calls + 1
  return x ~= nil and y ~= nil
end
print(count({ a, b, c, d }, {}, 200))  -- expect: 50	150
print(count({ a, b, d }, setmetatable({}, late), 300))  -- expect: 300	0
print(count({ c }, c, 100))  -- expect: 100	0
print(calls)  -- expect: 700

-- And taken away again, in mid-loop.
local other, equal = setmetatable({}, late), 0
for i = 1, 300 do
  if i == 101 then late.__eq = nil end
  if i == 201 then setmetatable(a, { __eq = function() return i % 2 == 0 end }) end
  if a == other then equal = equal + 1 end
end
print(equal)  -- expect: 100
