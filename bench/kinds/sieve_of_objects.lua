-- group: kinds
-- Primes by a sieve that is a chain of filters, and by one of booleans whose indices are computed: two ways in which people write it.
local scale = tonumber((...)) or 1

local function booleans(limit)
  local composite, primes = {}, {}
  for i = 2, limit do
    if not composite[i] then
      primes[#primes + 1] = i
      for k = i * i, limit, i do composite[k] = true end
    end
  end
  return primes
end

local function trial(limit)
  local primes = {}
  local n = 2
  while #primes < limit do
    local is_prime = true
    for _, p in ipairs(primes) do
      if p * p > n then break end
      if n % p == 0 then
        is_prime = false
        break
      end
    end
    if is_prime then table.insert(primes, n) end
    n = n + 1
  end
  return primes
end

local total = 0
for _ = 1, math.ceil(6 * scale) do
  local primes = booleans(200000)
  total = total + #primes + primes[#primes]
  primes = trial(4000)
  total = total + primes[#primes]
end
print(total)
