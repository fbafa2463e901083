-- group: numeric
-- Which numbers are prime, by Fermat's test with three bases: integer multiplication and remainder, and short
-- loops. Everything stays below 2^53, so engines without 64-bit integers agree.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local floor = math.floor

local function power_modulo(base, exponent, modulus)
  local result = 1
  base = base % modulus
  while exponent > 0 do
    if exponent % 2 == 1 then result = result * base % modulus end
    base = base * base % modulus
    exponent = floor(exponent / 2)
  end
  return result
end

local function is_probably_prime(n)
  return power_modulo(2, n - 1, n) == 1 and power_modulo(3, n - 1, n) == 1 and power_modulo(5, n - 1, n) == 1
end

local function count_primes(first, last)
  local count = 0
  for n = first, last, 2 do
    if is_probably_prime(n) then count = count + 1 end
  end
  return count
end

for _ = 1, math.max(1, math.floor(130 * scale)) do
  assert(count_primes(1000001, train and 1000021 or 1010001) == (train and 1 or 753))
end
