-- Operators whose metamethods are functions of Lua, in loops that get hot: what they return, raise, change, and who sees them.
local V = {}
V.__index = V
local function new(x, y) return setmetatable({ x = x, y = y }, V) end
function V.__add(a, b) return new(a.x + b.x, a.y + b.y) end
function V.__sub(a, b)
  local r = new(a.x - b.x, a.y - b.y)
  return r
end
function V.__mul(a, b)
  if type(a) == "number" then return new(a * b.x, a * b.y) end
  if type(b) == "number" then return new(a.x * b, a.y * b) end
  return a.x * b.x + a.y * b.y
end
function V.__unm(a) return new(-a.x, -a.y) end
function V.__band(a, b) return a.x & b end
function V.__bnot(a) return ~a.x end
function V.__idiv() end
function V.__mod(a, b) return a.x % b, "more" end
function V.__pow(a) return a end

local function sums(n)
  local s, t = new(0, 0), 0
  for i = 1, n do
    local v = new(i, -i)
    s = s + v - new(1, 1)
    t = t + v * new(2, 1) + (v * 2).x + (3 * v).y + (-v).x + (v & 7) + ~v + v % 5
    if v // 1 ~= nil then error("something from nothing") end
    if (v ^ 2) ~= v then error("not itself") end
  end
  return s.x, s.y, t
end
print(sums(10))     -- expect: 45	-65	-69
print(sums(4000))   -- expect: 7998000	-8006000	-15986000

-- The metamethod changes while the loop runs, then goes, then is no function.
local W = { __add = function(a, b) return a.n + b end }
local function changes(n)
  local w, sum = setmetatable({ n = 1 }, W), 0
  for i = 1, n do
    if i == n - 20 then W.__add = function(a, b) return a.n * b end end
    if i == n - 10 then W.__add = setmetatable({}, { __call = function(_, a, b) return -b end }) end
    sum = sum + (w + i)
  end
  W.__add = nil
  local ok, message = pcall(function() return w + 1 end)
  W.__add = function(a, b) return a.n + b end
  return sum, ok, (message:gsub("^.-:%d+: ", ""))
end
print(changes(3000))  -- expect: 4438589	false	attempt to perform arithmetic on a table value (upvalue 'w')

-- Errors come with the frames that really are there: metamethods, and tail calls.
local E = {}
local function fail(a) error("failed at " .. a.n, 2) end
function E.__add(a, b)
  if b == 2990 then
    print((debug.traceback("trace", 1):gsub("\n%s*%[C%].*", ""):gsub("\n%s*", " | ")))
    print(debug.getinfo(1, "n").name, debug.getinfo(1, "n").namewhat, debug.getinfo(1, "t").istailcall)
  end
  if b == 2995 then fail(a) end
  return a
end
local function adds(e, i) return e + i end
local function tails(e, i)
  if i % 2 == 0 then return adds(e, i) end
  return adds(e, i + 0)
end
local e = setmetatable({ n = 5 }, E)
local function run(n)
  for i = 1, n do
    local r = tails(e, i)
    if r ~= e then error("not the same") end
  end
end
local ok, message = pcall(run, 3000)
print(ok, message)
-- expect: trace | stack traceback: | operators_in_hot_loops.lua:57: in metamethod 'add' | operators_in_hot_loops.lua:63: in function <operators_in_hot_loops.lua:63> | (...tail calls...) | operators_in_hot_loops.lua:71: in function <operators_in_hot_loops.lua:69>
-- expect: add	metamethod	false
-- expect: false	operators_in_hot_loops.lua:60: failed at 5

-- Tail calls in functions that are inlined are tail calls: no frames pile up, and debug says so.
local function last(a, b, c) return debug.getinfo(1, "t").istailcall, a, b, c end
local function middle(a, b) return last(b, a) end
local function first(a) return middle(a, 2 * a) end
local trues, sum = 0, 0
for i = 1, 3000 do
  local is_tail, a, b, c = first(i)
  if is_tail then trues = trues + 1 end
  sum = sum + a - b + (c or 0)
end
print(trues, sum)  -- expect: 3000	4501500
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
local evens = 0
for i = 1, 400 do if even(i) then evens = evens + 1 end end
print(evens, even(300001))  -- expect: 200	false

-- A metatable gets a finalizer while objects are made: those made from then on have it.
local F, finalized = {}, 0
local function object(i) return setmetatable({ i = i }, F) end
for i = 1, 4000 do
  if i == 3000 then F.__gc = function() finalized = finalized + 1 end end
  local o = object(i)
  if o.i ~= i then error("lost") end
end
collectgarbage() collectgarbage()
print(finalized)  -- expect: 1001
-- One that is protected is not replaced.
local P = setmetatable({}, { __metatable = "no" })
local refused = 0
for i = 1, 3000 do
  local target = i % 100 == 0 and P or { i = i }
  if not pcall(setmetatable, target, V) then refused = refused + 1 end
  local ok = pcall(function() return setmetatable(target, V) end)
  if not ok then refused = refused + 1 end
end
print(refused)  -- expect: 60
