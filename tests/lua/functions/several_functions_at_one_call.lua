-- One call that reaches several functions: two to four of Lua, then one more, then one that is none, in calls whose results are counted,
-- open, or returned.
local function double(x) return x * 2 end
local function negate(x) return -x end
local function nothing() end
local function both(x) return x, x + 1 end
local function fifth(x) return x // 5 end
local function adder(n) return function(x) return x + n end end

local function map(list, f)
  local result = {}
  for i = 1, #list do result[i] = f(list[i]) or 0 end
  return result
end
local function sum(list)
  local total = 0
  for i = 1, #list do total = total + list[i] end
  return total
end
local list = {}
for i = 1, 100 do list[i] = i end
local functions = { double, negate, adder(7), adder(-1), nothing }
local total = 0
for round = 1, 200 do total = total + sum(map(list, functions[round % 5 + 1])) end
print(total)                                                       -- expect: 630000
print(sum(map(list, fifth)), sum(map(list, math.sqrt)) // 1)        -- expect: 970	671.0
print(sum(map(list, setmetatable({}, { __call = function(_, x) return x end }))))  -- expect: 5050
print(select(2, pcall(map, list, 5)):match("attempt.*"))            -- expect: attempt to call a number value (local 'f')
for round = 1, 100 do total = total + sum(map(list, functions[round % 5 + 1])) end
print(total)                                                       -- expect: 945000

-- Composed: the functions that are called are known one by one only, and the outer call is the last act.
local function compose(f, g) return function(x) return f(g(x)) end end
local twice = compose(compose(double, negate), compose(adder(3), negate))
local once = compose(both, twice)
local count, seen = 0, 0
for i = 1, 3000 do
  local a, b = once(i)
  count = count + select("#", once(i))
  seen = seen + (a or 0) + (b or 0)
  if i == 2000 then once = compose(nothing, twice) elseif i == 2001 then once = compose(fifth, double) end
end
print(count, seen)                                                  -- expect: 4999	8981000

-- Visitors by name, one of which raises an error now and then.
local visit = {}
function visit.leaf(node) return node.value end
function visit.pair(node) return visit[node[1].kind](node[1]) + visit[node[2].kind](node[2]) end
function visit.scaled(node) return node.by * visit[node[1].kind](node[1]) end
function visit.broken(node) if node.value % 97 == 0 then error("broken " .. node.value, 0) end return node.value end
local function leaf(value) return { kind = value % 4 == 0 and "broken" or "leaf", value = value } end
local failures, value = 0, 0
for i = 1, 3000 do
  local tree = { kind = "scaled", by = 3, { kind = "pair", leaf(i), { kind = "pair", leaf(i + 1), leaf(2) } } }
  local ok, result = pcall(visit[tree.kind], tree)
  if ok then value = value + result else failures = failures + 1 end
end
print(failures, value)                                              -- expect: 14	26905548
