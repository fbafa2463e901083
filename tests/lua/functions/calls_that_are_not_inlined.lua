-- Calls of functions that are not inlined, from functions that are: as their last act, and of one of many.
local function vararg(...)
  local a, b = ...
  return a, b, select("#", ...)
end
local function middle(x, y) return vararg(x, y) end
local function wider(x) return vararg(x, 2, 3, x, x) end
local function deeper(x, y) return middle(y, x) end
local count = 3000

local function results()
  local sum = 0
  for i = 1, count do
    local a, b, c, d = middle(i, i + 1)
    local e = wider(i)
    local f, g = deeper(i, 7)
    middle(i, i)
    sum = sum + a + b + c + e + f * 3 + g
    assert(d == nil and c == 2 and g == i)
  end
  return sum
end
print(results())

-- Errors, and who is on the stack.
local function fails(...)
  local x = ...
  if x == count then error("here", 2) end
  return x
end
local function through(x) return fails(x) end
print(pcall(function()
  local last
  for i = 1, count do last = through(i) end
  return last
end))

local function traced(...)
  local x = ...
  if x == count then return (debug.traceback("trace", 1):gsub("\n%s*%[C%].*", "")) end
  return x
end
local function to_trace(x) return traced(x) end
local function run_traced()
  local last
  for i = 1, count do last = to_trace(i) end
  return last
end
print((run_traced()))

-- A callee that yields.
local function yields(...)
  local x = ...
  if x % 500 == 0 then return coroutine.yield(x), x end
  return x, x + 1
end
local function to_yield(x) return yields(x) end
local thread = coroutine.wrap(function()
  local sum = 0
  for i = 1, count do
    local a, b = to_yield(i)
    sum = sum + a + b
  end
  return "sum", sum
end)
local value, sum = thread()
while value ~= "sum" do
  io.write(value, " ")
  value, sum = thread(value * 2)
end
print(sum)

-- One of many: functions of Lua and others.
local callable = setmetatable({}, { __call = function(_, a, b) return a - b end })
local many = { vararg, math.max, function(a) return a end, function(_, b) return b end, function(a, b) return a + b end,
               function(a, b) return a * b end, function() end, callable, math.min, function(...) return ... end }
local function pick(i, a, b) return many[i](a, b) end
local function calls()
  local sum, nils = 0, 0
  for i = 1, count do
    local f = many[i % #many + 1]
    local r, s = f(i, 3)
    local t, u = pick(i % 7 + 1, i, 2)
    if r then sum = sum + r else nils = nils + 1 end
    if s then sum = sum + s end
    if t then sum = sum + t else nils = nils + 1 end
    if u then sum = sum - u end
  end
  return sum, nils
end
print(calls())
print(pcall(function()
  many[8] = false
  return calls()
end))
-- expect: 18078000
-- expect: false	calls_that_are_not_inlined.lua:34: here
-- expect: trace
-- expect: stack traceback:
-- expect: 	calls_that_are_not_inlined.lua:40: in function <calls_that_are_not_inlined.lua:38>
-- expect: 	(...tail calls...)
-- expect: 	calls_that_are_not_inlined.lua:46: in local 'run_traced'
-- expect: 	calls_that_are_not_inlined.lua:49: in main chunk
-- expect: 500 1000 1500 2000 2500 3000 9016494
-- expect: 7912506	728
-- expect: false	calls_that_are_not_inlined.lua:82: attempt to call a boolean value (local 'f')
