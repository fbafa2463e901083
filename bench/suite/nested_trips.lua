-- group: branchy
-- Inner loops that run only a few times, and how many times depends on the outer loop: 0, 1, 2, 3, 0, 1, 2,
-- 3, ... The entry and the exit of the inner loop cost more than its body.
local scale = tonumber((...)) or 1

local function short_trips(rounds)
  local sum = 0
  for i = 1, rounds do
    local trips = i % 4
    while trips > 0 do
      sum = (sum + i * trips) % 65521
      trips = trips - 1
    end
    for j = 1, i % 3 do
      for k = j, 2 do sum = sum + j * k end
    end
  end
  return sum % 65521
end

--- Digits of numbers, in runs: most numbers have the same few digits.
local function digit_runs(last)
  local longest, runs = 0, 0
  for n = 1, last do
    local left, previous, run = n, -1, 0
    repeat
      local digit = left % 10
      if digit == previous then
        run = run + 1
        if run > longest then longest = run end
      else
        previous, run = digit, 1
        runs = runs + 1
      end
      left = (left - digit) / 10
    until left < 1
  end
  return runs * 10 + longest
end

for _ = 1, math.max(1, math.floor(130 * scale)) do
  assert(short_trips(60000) == 30636)
  assert(digit_runs(20000) == 820025)
end
