-- group: coroutines
-- Generators by coroutine.wrap: permutations that recurse and yield, and a pipeline of filters that finds
-- primes.
local scale = tonumber((...)) or 1
local yield, wrap = coroutine.yield, coroutine.wrap

local function permute(list, count)
  if count <= 1 then
    yield(list)
  else
    for i = 1, count do
      list[count], list[i] = list[i], list[count]
      permute(list, count - 1)
      list[count], list[i] = list[i], list[count]
    end
  end
end

local function permutations(list)
  return wrap(function() permute(list, #list) end)
end

local function numbers(limit)
  return wrap(function() for i = 2, limit do yield(i) end end)
end

local function without_multiples(prime, source)
  return wrap(function()
    for n in source do
      if n % prime ~= 0 then yield(n) end
    end
  end)
end

--- Each prime adds one more coroutine in front of the source.
local function prime_sum(limit)
  local source, sum = numbers(limit), 0
  while true do
    local prime = source()
    if not prime then return sum end
    sum = sum + prime
    source = without_multiples(prime, source)
  end
end

for _ = 1, math.max(1, math.floor(450 * scale)) do
  local count, weight = 0, 0
  for list in permutations({ 1, 2, 3, 4, 5, 6, 7 }) do
    count = count + 1
    weight = (weight + list[1] * count) % 1000003
  end
  assert(count == 5040 and weight == 39336)
  assert(prime_sum(500) == 21536)
end
