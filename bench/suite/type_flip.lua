-- group: branchy
-- Variables whose type changes from one iteration to the next: numbers and strings, tables and false,
-- integers and floats. Guesses about types that hold for one iteration fail in the next one, and are right
-- again after that.
local scale = tonumber((...)) or 1

local function show(value)
  local kind = type(value)
  if kind == "number" then return value % 97 end
  if kind == "string" then return #value end
  if kind == "table" then return show(value[1]) + 1 end
  return 0
end

local function flip(rounds)
  local value, total = 1, 0
  for i = 1, rounds do
    total = (total + show(value)) % 1000003
    if type(value) == "number" then
      value = "n" .. i % 50
    elseif type(value) == "string" then
      value = { #value }
    elseif value then
      value = false
    else
      value = i
    end
  end
  return total
end

local function mixed_sum(list)
  local sum = 0
  for i = 1, #list do
    local item = list[i]
    sum = sum + item * 2          -- integers, floats and numeric strings take turns
    if sum > 100000 then sum = sum - 100000 end
  end
  return math.floor(sum)
end

local function optional_chain(rounds)
  local node, hops = nil, 0
  for i = 1, rounds do
    if node and node.next then
      node = node.next
      hops = hops + 1
    elseif node then
      node = nil
    else
      node = { next = i % 3 ~= 0 and { next = false } or false }
    end
  end
  return hops
end

local list = {}
for i = 1, 3000 do
  if i % 3 == 0 then
    list[i] = i
  elseif i % 3 == 1 then
    list[i] = i + 0.5
  else
    list[i] = tostring(i)
  end
end

for _ = 1, math.max(1, math.floor(85 * scale)) do
  assert(flip(50000) == 682228)
  assert(mixed_sum(list) == 4000)
  assert(optional_chain(30000) == 10000)
end
