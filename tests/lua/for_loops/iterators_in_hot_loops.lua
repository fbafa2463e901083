-- Iterators written in Lua, in loops that are run often: closures and stateless ones, with more and fewer values than the loop has
-- variables, that change what they return, fail, yield, or are tail calls.
local function range(n)
  local i = 0
  return function()
    i = i + 1
    if i <= n then return i, i * i end
  end
end
local function step(limit, i)
  if i < limit then return i + 1 end
end
local function backwards(t, i)
  i = i - 1
  if i > 0 then return i, t[i] end
end

local function one(n)
  local sum = 0
  for i in range(n) do sum = sum + i end
  return sum
end
local function three(n)
  local sum, absent = 0, 0
  for i, square, nothing in range(n) do
    sum = sum + square - i
    if nothing == nil then absent = absent + 1 end
  end
  return sum, absent
end
local function stateless(n)
  local sum = 0
  for i in step, n, 0 do
    if i % 3 == 0 then sum = sum + i else sum = sum - 1 end
  end
  return sum
end
local function down(t)
  local text = 0
  for _, v in backwards, t, #t + 1 do text = text * 3 % 1009 + v end
  return text
end
local t = {}
for i = 1, 50 do t[i] = i end
local a, b, c, d, e = 0, 0, 0, 0, 0
for round = 1, 300 do
  a = a + one(40)
  local x, y = three(40)
  b, c = b + x, c + y
  d = d + stateless(40)
  e = e + down(t)
end
print(a, b, c, d, e)

-- Loops that stand alone: ipairs, pairs, next, and one that is left early.
local function find(list, wanted)
  for i, v in ipairs(list) do
    if v == wanted then return i end
  end
  return -1
end
local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end
local function weigh(set)
  local n = 0
  for k, v in next, set do n = n + #k * v end
  return n
end
local words, weights = {}, {}
for i = 1, 60 do words[i] = "w" .. i; weights["w" .. i] = i end
local found, counted, weighed = 0, 0, 0
for round = 1, 400 do
  found = found + find(words, "w" .. round % 70)
  counted = counted + count(weights) + count(t)
  weighed = weighed + weigh(weights)
end
print(found, counted, weighed)

-- What an iterator returns changes: integers, floats, strings, nothing.
local function odd(kind)
  local i = 0
  return function()
    i = i + 1
    if i > 30 then return nil end
    if i > 20 and kind == 1 then return i + 0.5 end
    if i > 20 and kind == 2 then return "s" .. i end
    if i > 25 and kind == 3 then error("at " .. i, 0) end
    if i > 25 and kind == 4 then return end
    if i > 25 and kind == 5 then return false end
    return i
  end
end
local function run(kind)
  local n, last = 0, nil
  for v in odd(kind) do n, last = n + 1, v end
  return n, last
end
for round = 1, 200 do run(0) end
for kind = 0, 5 do print(kind, pcall(run, kind)) end
for kind = 5, 0, -1 do print(kind, pcall(run, kind)) end

-- Another iterator at the same place, and things that are called as functions are.
local function total(f, s, i)
  local sum = 0
  for v in f, s, i do sum = sum + v end
  return sum
end
for round = 1, 300 do total(step, 30, 0) end
print(total(step, 30, 0), total(range(30)), total(next, { 1, 2, 3 }), total(setmetatable({}, { __call = function(_, s, i) return step(s, i) end }), 30, 0))
print(pcall(total, 7), pcall(total, step, {}, 0))

-- Tail calls, recursion, many arguments.
local function indirect(s, i) return step(s, i) end
local function any(s, i, ...)
  if i < s then return i + 1, ... end
end
local function nested(n)
  local sum = 0
  for i in indirect, n, 0 do
    for j in any, i, 0 do sum = sum + j end
  end
  return sum
end
local sum = 0
for round = 1, 200 do sum = sum + nested(12) end
print(sum)

-- In coroutines: an iterator that yields, and one that is a coroutine.
local function yielding(s, i)
  if i == 10 then coroutine.yield("half") end
  if i < s then return i + 1 end
end
local function consume()
  local n = 0
  for i in yielding, 20, 0 do n = n + i end
  return n
end
local seen = {}
for round = 1, 100 do
  local co = coroutine.create(consume)
  local _, first = coroutine.resume(co)
  local _, second = coroutine.resume(co)
  seen[first] = (seen[first] or 0) + second
end
print(seen.half)
local function produced(n)
  return coroutine.wrap(function()
    for i = 1, n do coroutine.yield(i) end
  end)
end
sum = 0
for round = 1, 100 do
  for i in produced(20) do sum = sum + i end
end
print(sum)

-- The frame of an iterator has its name and its line.
local traces = {}
local function traced(s, i)
  if i == 15 then traces[#traces + 1] = debug.traceback("here", 1):match("here\nstack traceback:\n\t([^\n]*)") end
  if i < s then return i + 1 end
end
local function trace_all()
  local n = 0
  for i in traced, 20, 0 do n = n + i end
  return n
end
for round = 1, 200 do trace_all() end
local same = true
for i = 2, #traces do same = same and traces[i] == traces[1] end
print(#traces, same, traces[1])

-- Closing values, and a break.
local closed = 0
local function with_close(n)
  local sum = 0
  for i in step, n, 0, setmetatable({}, { __close = function() closed = closed + 1 end }) do
    if i > 20 then break end
    sum = sum + i
  end
  return sum
end
sum = 0
for round = 1, 200 do sum = sum + with_close(round % 2 == 0 and 10 or 30) end
print(sum, closed)

-- expect: 246000	6396000	12000	73800	41100
-- expect: 10375	44000	2178000
-- expect: 0	true	30	30
-- expect: 1	true	30	30.5
-- expect: 2	true	30	s30
-- expect: 3	false	at 26
-- expect: 4	true	25	25
-- expect: 5	true	30	false
-- expect: 5	true	30	false
-- expect: 4	true	25	25
-- expect: 3	false	at 26
-- expect: 2	true	30	s30
-- expect: 1	true	30	30.5
-- expect: 0	true	30	30
-- expect: 465	465	6	465
-- expect: false	false	iterators_in_hot_loops.lua:11: attempt to compare number with table
-- expect: 72800
-- expect: 21000
-- expect: 21000
-- expect: 200	true	iterators_in_hot_loops.lua:163: in for iterator 'for iterator'
-- expect: 26500	200
