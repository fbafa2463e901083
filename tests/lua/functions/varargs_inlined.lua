-- Functions of varargs in loops that become regions: how many arguments there are is known where they are called, and all that may look at
-- them in the middle (errors, the debug library, coroutines, the collector) finds them where a frame has them.
local digest = 0
local function add(...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local text = type(value) == "number" and string.format("%.6g", value) or tostring(value)
    for j = 1, #text do digest = (digest * 31 + text:byte(j)) % 1000000007 end
  end
end

-- Forwarding, with fixed parameters before, in calls and tail calls.
local function forward(f, ...) return f(...) end
local function keep(f, ...) local a, b = f(...) return a, b end
local function swap(a, b) return b, a end
local function drop(_, ...) return ... end
local function fixed(...) local a, b, c = ... return c, b, a end
local function list(...) return { ... } end
local function none(...) return end
local function deep(n, ...) if n == 0 then return ... end return deep(n - 1, n, ...) end
for i = 1, 3000 do
  local a, b = forward(swap, i, "x")
  local c, d, e = forward(fixed, i, a)
  local f, g = keep(drop, i, b, i % 3 == 0 and nil or i)
  local t = list(i, a, d)
  local h = { drop(i, 2, 3), (drop(1, i, 2)), drop(0, i) }
  if i % 50 == 0 then add(a, b, c, d, e, f, g, #t, t[1], #h, h[1], h[2], h[3], (none(1, 2)), deep(3, i)) end
end

-- select, with indices that are known or not, from either end, and beyond.
local function count(...) return select("#", ...) end
local function second(...) return (select(2, ...)) end
local function at(i, ...) return (select(i, ...)) end
local function rest(...) return select(2, ...) end
local function last(...) return select(-1, ...) end
local function sum(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...)) end return s end
for i = 1, 3000 do
  local a, b = at(i % 4 + 1, "a", 1.5, nil, i), at(i % 2 + 1, i, i + 1)
  local c, d = sum(i, 2, 3), sum(0.5, i) + sum()
  local e, f, g = count(i, nil), count(), count(nil, nil, nil)
  local h, k, l = second(i), second(1, i), (rest(1, i, 2))
  if i % 50 == 0 then add(a, b, c, d, e, f, g, h, k, l, last(1, 2, i), pcall(at, 0, 1), pcall(at, -3, 1)) end
end

-- Fewer and more arguments than before at the same place; open results of other calls.
local function some(n) if n % 5 == 0 then return end if n % 7 == 0 then return n, n, n end return n end
for i = 1, 3000 do
  local a, b, c = fixed(some(i))
  local d = count(some(i))
  local e, f = forward(swap, some(i))
  if i % 35 < 2 then add(a, b, c, d, e, f) end
end

-- Errors, tracebacks and the debug library in the middle.
local function fails(a, ...)
  local n = select("#", ...)
  if a % 400 == 0 then error({ a, n, ... }) end
  return n
end
local function seen(a, ...)
  if a % 300 ~= 0 then return a end
  local name, value = debug.getlocal(1, -1)
  local other, more = debug.getlocal(1, -2)
  return tostring(name) .. tostring(value) .. tostring(other) .. tostring(more) .. tostring((debug.getlocal(1, -3)))
end
local function outer(f, ...) local r = f(...) return r end
for i = 1, 3000 do
  local ok, e = pcall(outer, fails, i, "x", i)
  local r = outer(seen, i, i + 1, "y")
  if i % 100 == 0 then add(ok, type(e) == "table" and e[1] + e[2] + e[4] or e, r) end
end

-- Yields across frames of varargs, and tables that only the varargs hold while the collector runs.
local function yields(...) coroutine.yield(...) return ... end
local co = coroutine.wrap(function() for i = 1, 1500 do add(select("#", outer(yields, i, nil, i)), (forward(yields, i))) end return "end" end)
for i = 1, 3000 do
  local a, b, c = co()
  if i % 100 == 0 then add(a, b, c) end
end
local function holds(f, ...) f() return ... end
local function makes(i) if i % 200 == 0 then collectgarbage() end return { i } end
for i = 1, 2000 do
  local a, b = holds(function() makes(i) end, makes(i), { i + 1 })
  if i % 100 == 0 then add(a[1], b[1]) end
end

-- Metamethods that have varargs.
local meta = { __call = function(self, ...) return select("#", ...), ... end, __index = function(t, ...) return count(...) end }
meta.__add = function(...) return count(...) end
meta.__lt = function(...) return count(...) == 2 end
local object = setmetatable({}, meta)
for i = 1, 2000 do
  local a, b = object(i, nil)
  local c, d, e = object.x, object + i, object < object
  if i % 100 == 0 then add(a, b, c, d, e) end
end
print(digest)  -- expect: 689189022
