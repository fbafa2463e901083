-- group: calls
-- The naive Fibonacci function: nothing but calls.
local scale = tonumber((...)) or 1

local function fibonacci(n)
  if n < 2 then return n end
  return fibonacci(n - 1) + fibonacci(n - 2)
end

for _ = 1, math.max(1, math.floor(67 * scale)) do
  assert(fibonacci(27) == 196418)
end
