-- Loops that have an exit behind the test of their rounds, where they go back: in optimized code the first iterations are a loop of their
-- own here, of those that skip the body, which the first odd number leaves.
local function sum_of_odd(sum, n)
  local list, last = { 1, 2, 3 }, nil
  for i = 1, n do
    if (i % 2 ~= 1) then goto continue end
    last = { i }
    sum = sum + last[1]
    if i > 1000 then for j = 1, 20 do list[j] = nil end end
    ::continue::
  end
  return sum
end

-- The same, but many iterations skip the body before one does not: some of them are granted rounds.
local function sum_of_multiples(sum, n, step)
  local list, last = { 1, 2, 3 }, nil
  for i = 1, n do
    if (i % step ~= 0) then goto continue end
    last = { i }
    sum = sum + last[1]
    if i > 100000 then for j = 1, 20 do list[j] = nil end end
    ::continue::
  end
  return sum
end

for round = 1, 80 do
  local n = round * 10
  assert(sum_of_odd(0, n) == (n // 2) ^ 2, n)
end
for step = 250, 262 do
  for round = 1, 8 do
    local n = 20 * step
    assert(sum_of_multiples(0, n, step) == 210 * step, step)
  end
end
print "ok" -- expect: ok
