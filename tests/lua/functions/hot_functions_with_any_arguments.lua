-- Functions that are hot as wholes: fewer and more arguments, results wanted and not wanted, open lists of results, errors.
local function fibonacci(n) if n < 2 then return n end return fibonacci(n - 1) + fibonacci(n - 2) end
local function ordered(a, b) if a > b then return b, a end return a, b end
local function three(n) local t = {} for i = 1, 3 do t[i] = n + i end return t[1], t[2], t[3] end
local function sum(...) local s = 0 for i = 1, select('#', ...) do s = s + (select(i, ...) or 0) end return s end
local function defaulted(a, b, c)
  local x = 0
  if b then x = x + b end
  if c then x = x + c end
  for _ = 1, 2 do x = x + a end
  return x
end
local function pair(x, y) local p = { x = x, y = y, list = { x, y } } p.z = p.x + p.y return p end
local function added(p, q) return pair(p.x + q.x, p.y + q.y) end
local function through(...) return ordered(...) end
local total = 0
for i = 1, 1500 do
  total = total + fibonacci(6)
  local a, b = ordered(i % 7, i % 5)
  total = total + a * 2 + b + sum(three(i)) + sum(ordered(i, 3), 4) + sum(through(3, i % 4))
  local p, q, r, none = three(i)
  total = total + p + q + r + (none and 1 or 0)
  total = total + defaulted(i) + defaulted(i, 2) + defaulted(i, 1, i % 2 == 0 and 2.5 or 3) + defaulted(i, nil, 1, "more")
  local v = added(pair(i, 2), pair(3, i))
  total = total + v.z + v.list[1] + #v.list
  ordered(i, 3)
  if i % 500 == 0 then print((pcall(fibonacci, "x")), (select('#', pcall(defaulted, {})))) end
  -- expect: false	2
  -- expect: false	2
  -- expect: false	2
end
print(total)  -- expect: 19219759.0
