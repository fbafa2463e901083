-- group: calls
-- Recursions of different shapes: Takeuchi's function, mutual recursion, Ackermann's function and the towers
-- of Hanoi.
local scale = tonumber((...)) or 1

local function takeuchi(x, y, z)
  if y >= x then return z end
  return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))
end

local is_odd
local function is_even(n)
  if n == 0 then return true end
  local result = is_odd(n - 1)   -- kept in a local so that this is a call, not a tail call
  return result
end
function is_odd(n)
  if n == 0 then return false end
  local result = is_even(n - 1)
  return result
end

local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end

local moves
local function hanoi(discs, from, to, spare)
  if discs == 0 then return end
  hanoi(discs - 1, from, spare, to)
  moves = moves + 1
  hanoi(discs - 1, spare, to, from)
end

for _ = 1, math.max(1, math.floor(230 * scale)) do
  assert(takeuchi(14, 8, 2) == 3)
  for n = 100, 150 do assert(is_even(n) == (n % 2 == 0)) end
  assert(ackermann(2, 150) == 303)
  moves = 0
  hanoi(15, "left", "right", "middle")
  assert(moves == 32767)
end
