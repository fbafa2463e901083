-- The loop of the paper on paths of k iterations whose two arms alternate: 1-(2-3-5-2-4-5)-6. Prints nanoseconds per iteration in
-- the steady state: the best of several runs, after one that warms up.
local rounds = tonumber((...)) or 30000000

local function alternate(n)
  local sum, flag = 0, false
  for i = 1, n do
    if flag then
      sum = sum + i
      flag = false
    else
      sum = sum - 1
      flag = true
    end
  end
  return sum
end

local best = math.huge
for run = 1, 6 do
  local start = os.clock()
  local sum = alternate(rounds)
  local nanoseconds = (os.clock() - start) / rounds * 1e9
  assert(sum == (rounds / 2) * (rounds / 2 + 1) - rounds / 2)
  if run > 1 and nanoseconds < best then best = nanoseconds end
end
print(string.format("%.3f", best))
