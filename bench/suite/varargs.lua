-- group: calls
-- Variable numbers of arguments and results: select, pack and unpack, forwarding, and multiple assignment.
local scale = tonumber((...)) or 1
local unpack = table.unpack or unpack

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do total = total + (select(i, ...)) end
  return total
end

local function rotate(first, ...)
  if first == nil then return end
  local list = { ... }
  list[#list + 1] = first
  return unpack(list)
end

local function divide(a, b)
  local remainder = a % b
  return (a - remainder) / b, remainder
end

local function forward(f, ...)
  return f(...)
end

local function work()
  local total = 0
  local a, b, c, d, e = 1, 2, 3, 4, 5
  for i = 1, 500 do
    a, b, c, d, e = rotate(a, b, c, d, e)
    total = total + forward(sum, a, 2 * b, 3 * c, i)
    local quotient, remainder = divide(total, 7)
    total = (forward(sum, quotient, remainder, forward(divide, i, 3)) + total) % 100003
  end
  return total
end

for _ = 1, math.max(1, math.floor(1900 * scale)) do
  assert(work() == 9896)
end
