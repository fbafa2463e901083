-- group: calls
-- Small functions as values: map, filter, fold, composition and counters that share an upvalue.
local scale = tonumber((...)) or 1

local function map(list, f)
  local result = {}
  for i = 1, #list do result[i] = f(list[i]) end
  return result
end

local function filter(list, keep)
  local result = {}
  for i = 1, #list do
    if keep(list[i]) then result[#result + 1] = list[i] end
  end
  return result
end

local function fold(list, initial, f)
  local accumulator = initial
  for i = 1, #list do accumulator = f(accumulator, list[i]) end
  return accumulator
end

local function compose(f, g)
  return function(x) return f(g(x)) end
end

local function new_counter()
  local count = 0
  return function(by) count = count + by end, function() return count end
end

local function add(n) return function(x) return x + n end end
local function times(n) return function(x) return x * n end end
local function modulo(n) return function(x) return x % n end end

local function work()
  local list = {}
  for i = 1, 400 do list[i] = i end
  local step = compose(modulo(1009), compose(add(7), times(13)))
  local increment, value = new_counter()
  for round = 1, 8 do
    list = map(list, step)
    local kept = filter(list, function(x) return x % 8 ~= round end)
    increment(fold(kept, 0, function(a, b) return (a + b) % 65521 end))
  end
  return value()
end

for _ = 1, math.max(1, math.floor(1400 * scale)) do
  assert(work() == 316317)
end
