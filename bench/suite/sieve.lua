-- group: array
-- The sieve of Eratosthenes: a long array of booleans, written with a stride.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function count_primes(limit)
  local composite = {}
  for i = 1, limit do composite[i] = false end
  local count = 0
  for candidate = 2, limit do
    if not composite[candidate] then
      count = count + 1
      for multiple = candidate * candidate, limit, candidate do
        composite[multiple] = true
      end
    end
  end
  return count
end

for _ = 1, math.max(1, math.floor(48 * scale)) do
  assert(count_primes(train and 100 or 500000) == (train and 25 or 41538))
end
