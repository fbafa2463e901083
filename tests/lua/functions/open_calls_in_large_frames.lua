-- A call whose arguments end with all results of another call, in frames with many registers, where those results lie right behind
-- the function: the frame may change its tier between the two calls, and neither is skipped nor made twice.
local a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16
local b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16
local c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16
local d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16

local calls = 0
local function count(...)
  calls = calls + 1
  return ...
end

for i = 1, 40 do
  local b = count(count(i)) <= i
  if not b then error("skipped") end
end
print(calls)  -- expect: 80

-- Nested three times, with none, one and several results.
calls = 0
local sum = 0
for i = 1, 40 do
  count(count(count()))
  local x, y, z = count(count(count(i, i + 1, i + 2)))
  sum = sum + x + y + z
end
print(calls, sum)  -- expect: 240	2580

-- Callees that are native, objects, methods, and functions that resume and yield.
local object = setmetatable({ n = 0 }, { __call = function(self, ...) self.n = self.n + 1; return ... end })
function object:method(...) self.n = self.n + 1; return ... end
local resume = coroutine.wrap(function(...)
  local value = ...
  while true do value = coroutine.yield(value, value + 1) end
end)
sum = 0
for i = 1, 40 do
  sum = sum + select("#", count(i, i)) + math.max(count(i, 2 * i))
  sum = sum + object(count(i)) + object:method(count(i)) + count(object(i))
  sum = sum + resume(count(i)) + math.max(resume(i))
  sum = sum + #tostring(count(i)) + #table.pack(count(i, i, i))
end
print(object.n, sum)  -- expect: 120	6051

-- The results of a tail call, and of varargs.
local function pass(...)
  local a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16
  local b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16
  local c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16
  local d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16
  count(count(...))
  if select("#", ...) > 3 then return count(count(...)) end
  return pass(0, count(...))
end
calls, sum = 0, 0
for i = 1, 40 do sum = sum + select("#", pass(count(i))) end
print(calls, sum)  -- expect: 560	160

-- An error between the two names its own line, and the frame goes on.
local failed = 0
for i = 1, 40 do
  local _, message = pcall(function()
    local a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16
    local b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16
    local c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16
    local d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16
    return count(
      a1(count(i)))
  end)
  if message:find(":69: attempt to call a nil value %(local 'a1'%)") then failed = failed + 1 end
end
print(failed)  -- expect: 40
