-- group: numeric
-- The longest Collatz chain below a bound, with an array that remembers the lengths already known.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local floor = math.floor

local function longest_chain(bound)
  local known = { 1 }
  local best, best_length = 1, 1
  for start = 2, bound do
    local n, steps = start, 0
    while n >= start do
      if n % 2 == 0 then
        n = floor(n / 2)
      else
        n = 3 * n + 1
      end
      steps = steps + 1
    end
    local length = steps + known[n]
    known[start] = length
    if length > best_length then best, best_length = start, length end
  end
  return best
end

for _ = 1, math.max(1, math.floor(26 * scale)) do
  assert(longest_chain(train and 50 or 150000) == (train and 27 or 142587))
end
