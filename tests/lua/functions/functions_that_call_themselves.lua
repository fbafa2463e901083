-- Hot functions that call themselves: results of all numbers, arguments of changing types, and everything that may happen in
-- the middle of a recursion.
local WARM <const> = 400

local function fibonacci(n)
  if n < 2 then return n end
  return fibonacci(n - 1) + fibonacci(n - 2)
end
for _ = 1, WARM do assert(fibonacci(10) == 55) end
assert(math.type(fibonacci(15)) == "integer" and fibonacci(15) == 610)
assert(math.type(fibonacci(15.0)) == "float" and fibonacci(15.0) == 610.0)
assert(not pcall(fibonacci, {}))
assert(fibonacci(setmetatable({}, { __lt = function() return true end })) ~= nil)

-- No result, one, and what the caller makes of them.
local moves = 0
local function hanoi(discs, from, to, spare)
  if discs == 0 then return end
  hanoi(discs - 1, from, spare, to)
  moves = moves + 1
  hanoi(discs - 1, spare, to, from)
end
for _ = 1, WARM do hanoi(5, "left", "right", "middle") end
assert(moves == WARM * 31)
assert(select("#", hanoi(3)) == 0 and select("#", (hanoi(3))) == 1)
local a, b, c = hanoi(2), hanoi(2)
assert(a == nil and b == nil and c == nil)
assert(#{ fibonacci(3), hanoi(1) } == 1)
assert(select("#", fibonacci(3), fibonacci(4)) == 2)
a, b, c = fibonacci(7)
assert(a == 13 and b == nil and c == nil)

local function maybe(n)
  if n == 0 then return end
  if n == 1 then return "one" end
  local below = maybe(n - 2)
  return below
end
for i = 1, WARM do assert(maybe(i % 8) == (i % 2 == 1 and "one" or nil)) end
local function count_of(...) return select("#", ...) end
assert(count_of(maybe(0)) == 0 and count_of(maybe(1)) == 1 and count_of(maybe(2)) == 1)

-- Open results as arguments, tail calls of itself.
local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end
for _ = 1, WARM // 10 do assert(ackermann(2, 12) == 27) end
local function takeuchi(x, y, z)
  if y >= x then return z end
  return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y))
end
for _ = 1, WARM // 10 do assert(takeuchi(8, 4, 1) == 2) end
assert(takeuchi(8.0, 4, 1) == 2)

-- Sometimes nothing comes where one result was expected.
local function holey(n, hole)
  if n == hole then return end
  if n == 0 then return 0 end
  local below = holey(n - 1, hole)
  return below and below + 1
end
for _ = 1, WARM do assert(holey(10, -1) == 10) end
assert(holey(10, 5) == nil)
local function open_holes(n, hole)
  if n == hole then return end
  if n == 0 then return 0 end
  return (count_of(open_holes(n - 1, hole)) + n)
end
for _ = 1, WARM do assert(open_holes(6, -1) == 7) end
assert(open_holes(6, 5) == 6)

-- Missing and additional arguments.
local function three(n, x, y)
  if n == 0 then return x == nil and y == nil and 1 or 2 end
  if n % 2 == 0 then return 1 + three(n - 1) end
  return 1 + three(n - 1, nil, nil, "additional")
end
for _ = 1, WARM do assert(three(10) == 11) end
assert(three(0, 1) == 2)

-- Types that change in the middle.
local function drift(n, value)
  if n == 0 then return value end
  local result = drift(n - 1, n == 7 and value * 0.5 or value + 1)
  return result
end
for _ = 1, WARM do assert(drift(6, 0) == 6) end
assert(drift(9, 0) == 7.0 and math.type(drift(9, 0)) == "float")
assert(drift(9, "4") == 9.0)
assert(select(2, pcall(drift, 9, {})):find("attempt to perform arithmetic on a table value", 1, true))

-- Tail calls of another closure of the same function.
local function counter(step)
  local function down(n, next_down, sum)
    if n <= 0 then return sum end
    return next_down(n - step, down, sum + step)
  end
  return down
end
local down_1, down_2 = counter(1), counter(2)
for _ = 1, WARM do assert(down_1(30, down_1, 0) == 30) end
assert(down_1(30, down_2, 0) == 30 and down_2(31, down_1, 0) == 32)
local function endless(n) if n == 0 then return "end" end return endless(n - 1) end
for _ = 1, WARM do endless(10) end
assert(endless(300000) == "end")

-- The function is replaced while it runs.
local replaced
function replaced(n, at)
  if n == at then replaced = function() return 1000 end end
  if n == 0 then return 0 end
  return 1 + replaced(n - 1, at)
end
local original = replaced
for _ = 1, WARM do assert(replaced(10, -1) == 10) end
assert(original(10, 5) == 1006)
replaced = original

-- Errors, deep recursion, and the stack afterwards.
local function fail(n)
  if n == 0 then error({ depth = n }) end
  local result = fail(n - 1)
  return result + 1
end
for _ = 1, WARM do
  local ok, problem = pcall(fail, 20)
  assert(not ok and problem.depth == 0)
end
local function deep(n) if n == 0 then return 0 end return 1 + deep(n - 1) end
for _ = 1, WARM do assert(deep(20) == 20) end
assert(deep(50000) == 50000)
local ok, message = pcall(deep, math.maxinteger)
assert(not ok and message:find("stack overflow", 1, true))
assert(deep(1000) == 1000)
assert(coroutine.wrap(deep)(5000) == 5000)

-- Whoever looks at the stack finds all frames, and their variables.
local function names(n)
  local here = n * 2
  if n == 0 then
    local found = {}
    for level = 2, 5 do
      local name, value = debug.getlocal(level, 2)
      found[#found + 1] = name .. "=" .. value
    end
    return table.concat(found, " "), debug.traceback("depth")
  end
  local result = names(n - 1)
  return result
end
for _ = 1, WARM do assert(names(6) == "here=2 here=4 here=6 here=8") end
local function trace(n)
  if n == 0 then return debug.traceback("x") end
  local result = trace(n - 1)
  return result
end
for _ = 1, WARM do
  local _, levels = trace(8):gsub("in upvalue 'trace'", "")
  assert(levels == 8)
end

-- Coroutines switch in the middle; the collector runs; hooks come up.
local switches = false
local function climb(n)
  if n == 0 then return 0 end
  if switches and n == 3 then coroutine.yield(n) end
  return 1 + climb(n - 1)
end
for _ = 1, WARM do assert(climb(12) == 12) end
switches = true
local climber = coroutine.wrap(climb)
assert(climber(12) == 3 and climber() == 12)

local function tree(depth)
  if depth == 0 then return { size = 1 } end
  local left, right = tree(depth - 1), tree(depth - 1)
  return { left = left, right = right, size = left.size + right.size + 1 }
end
local function count(its) return its.left and count(its.left) + count(its.right) + 1 or 1 end
local old_mode = collectgarbage("incremental")
for _ = 1, WARM // 20 do
  local its = tree(8)
  assert(its.size == 511 and count(its) == 511)
end
collectgarbage(old_mode)

local lines = 0
local function hooked(n)
  if n == 4 and lines == 0 then debug.sethook(function() lines = lines + 1 end, "l") end
  if n == 0 then return 0 end
  local below = hooked(n - 1)
  return below + 1
end
lines = -1
for _ = 1, WARM do assert(hooked(8) == 8) end
lines = 0
assert(hooked(8) == 8)
debug.sethook()
assert(lines > 4)

-- Two functions that call each other.
local is_odd
local function is_even(n) if n == 0 then return true end local result = is_odd(n - 1) return result end
function is_odd(n) if n == 0 then return false end local result = is_even(n - 1) return result end
for n = 0, WARM do assert(is_even(n) == (n % 2 == 0)) end

print("ok")  -- expect: ok
