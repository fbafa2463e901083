-- Closures made in loops capture locals in every order, share them, and keep them after the block and its round have ended.
local out = {}
for round = 1, 40 do
  local a, b, c, d, e = round, round * 2, round * 3, round * 4, round * 5
  local up = function() a = a + 1 return a, b, c end           -- ascending
  local down = function() c = c + 1 return c, b, a end         -- descending
  local mixed = function() b = b + 1 return b, d, a, c end
  local many = function() e = e + 1 return a, b, c, d, e end   -- more than are made inline
  local nested = function()
    local inner = function() a, d = a + 10, d + 10 return a + d + round end
    return inner
  end
  up() down() mixed() many()
  nested()()
  out[round] = { up, down, mixed, many, nested(), function() return a + b + c + d + e end }
end
local sums = {}
for round = 1, 40 do
  local f = out[round]
  f[1]() f[2]() f[3]() f[4]() f[5]()
  local a, b, c, d, e = f[4]()
  assert(a == round + 22 and b == round * 2 + 2 and c == round * 3 + 2 and d == round * 4 + 20 and e == round * 5 + 3)
  sums[#sums + 1] = f[6]()
end
print(sums[1], sums[20], sums[40])
-- expect: 64	349	649

-- One variable per round, also for the loop's own; a goto leaves and enters its scope.
local getters = {}
for i = 1, 30 do
  local j = i
  ::again::
  do
    local k = j
    getters[#getters + 1] = function(v) k = v or k return i, j, k end
  end
  j = j + 100
  if j < 200 + i then goto again end
end
for n, get in ipairs(getters) do get(n) end
local i, j, k = getters[60]()
print(#getters, i, j, k, getters[1]())
-- expect: 60	30	230	60	1	201	1

-- A local of an outer function that higher open upvalues hide.
local function outer(n)
  local low = n
  local results = {}
  for round = 1, 3 do
    local high = round
    local hold = function() return high end
    local mix = function() low = low + high return low end
    results[round] = mix() + hold()
  end
  return function() return low, results[1], results[2], results[3] end
end
for n = 1, 20 do
  local low, first, second, third = outer(n)()
  assert(low == n + 6 and first == n + 2 and second == n + 5 and third == n + 9)
end
-- The same in coroutines, each with a stack of its own.
local threads = {}
for n = 1, 20 do
  threads[n] = coroutine.wrap(function(v)
    local mine = v
    local add = function(w) mine = mine + w return mine end
    while true do v = coroutine.yield(add(v)) end
  end)
end
local total = 0
for round = 1, 10 do
  for n = 1, 20 do total = total + threads[n](round * n) end
end
print(total)
-- expect: 48300
