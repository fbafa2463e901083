-- pcall and xpcall of functions that have been compiled: results of any number, errors, handlers, closed variables, yields, hooks,
-- and both limits of depth.
local function give(...) return select('#', ...), ... end
local function check(ok, n, ...) return ok and n == select('#', ...) end
local good = 0
for i = 1, 300 do
  if check(pcall(give)) and check(pcall(give, nil)) and check(pcall(give, i, nil, i)) and check(xpcall(give, print, i, nil)) then good = good + 1 end
  local ok, n, a, b, c = pcall(give, i, -i)
  if ok and n == 2 and a == i and b == -i and c == nil then good = good + 1 end
end
print(good)  -- expect: 600

local function fail(x) error(x, 0) end
local handled = 0
local function handler(e) handled = handled + 1 return type(e) == "string" and e .. "!" or type(e) end
for i = 1, 300 do
  local ok, e = pcall(fail, i)
  local ok2, e2 = xpcall(fail, handler, i % 2 == 0 and "even" or {})
  if i > 298 then print(ok, e, ok2, e2) end
  -- expect: false	299	false	table
  -- expect: false	300	false	even!
end
print(handled)  -- expect: 300
print(pcall(error))  -- expect: false	nil
print(xpcall(fail, function() error("again", 0) end, 1))  -- expect: false	error in error handling

-- Variables to be closed by the error, and open upvalues.
local closed = {}
local function opens(i)
  local x <close> = setmetatable({}, { __close = function(_, e) closed[#closed + 1] = tostring(e) end })
  local y = i
  local get = function() return y end
  if i % 3 == 0 then error("e" .. i, 0) end
  return get
end
local sum = 0
for i = 1, 60 do
  local ok, get = pcall(opens, i)
  if ok then sum = sum + get() end
end
print(sum, #closed, closed[1], closed[3])  -- expect: 1200	60	nil	e3

-- Yields across both, and errors behind them.
local function yields(i)
  local got = coroutine.yield(i)
  if got % 7 == 0 then error("seven", 0) end
  return got
end
local co = coroutine.wrap(function()
  local good, bad = 0, 0
  for i = 1, 70 do
    local ok, v = pcall(yields, i)
    local ok2, v2 = xpcall(yields, handler, i)
    if ok and v == i then good = good + 1 elseif v == "seven" then bad = bad + 1 end
    if ok2 and v2 == i then good = good + 1 elseif v2 == "seven!" then bad = bad + 1 end
  end
  return good, bad
end)
local a, b = co()
while not b do a, b = co(a) end
print(a, b)  -- expect: 120	20

-- Deep recursion, of Lua functions and of native ones.
local function endless(n) return 1 + endless(n + 1) end
for i = 1, 3 do print(select(2, pcall(endless, 1)):match("stack overflow")) end
-- expect: stack overflow
-- expect: stack overflow
-- expect: stack overflow
local depth = 0
local function nest() depth = depth + 1 local ok, e = pcall(nest) if not ok then return error(e, 0) end return e end
local ok, message = pcall(nest)
print(ok, message:match("C stack overflow"), depth > 150 and depth < 220)  -- expect: false	C stack overflow	true
print(xpcall(endless, function(m) return m:match("overflow") end, 1))  -- expect: false	overflow

-- Tracebacks show them; levels count them.
local function level() return debug.getinfo(2, "n").name, debug.getinfo(2, "S").what end
for i = 1, 100 do
  local ok, name, what = pcall(level)
  if i == 100 then print(ok, name, what) end  -- expect: true	pcall	C
end
print((debug.traceback("x"):gsub("\n.*", "")))  -- expect: x
for i = 1, 100 do
  local _, trace = xpcall(fail, debug.traceback, "t")
  if i == 100 then print((trace:gsub("protected_calls_in_hot_loops", "F"):gsub("^(.-\n.-\n.-\n.-\n.-)\n.*", "%1"))) end
  -- expect: t
  -- expect: stack traceback:
  -- expect: 	[C]: in function 'error'
  -- expect: 	F.lua:13: in function <F.lua:13>
  -- expect: 	[C]: in function 'xpcall'
end

-- A hook that comes up inside.
local count = 0
for i = 1, 50 do
  pcall(function() if i == 40 then debug.sethook(function() count = count + 1 end, "cr") end end)
end
debug.sethook()
print(count > 20)  -- expect: true

-- Comparators of sort: yields are refused, errors pass, invalid orders are noticed.
local list = {}
for i = 1, 200 do list[i] = i * 7919 % 211 end
table.sort(list, function(x, y) return x > y end)
local descends = true
for i = 2, #list do descends = descends and list[i - 1] >= list[i] end
print(descends)  -- expect: true
print(pcall(table.sort, list, function(x, y) if x == 100 or y == 100 then error("hundred", 0) end return x < y end))
-- expect: false	hundred
print(coroutine.wrap(function() return pcall(table.sort, list, function(x, y) coroutine.yield() return x < y end) end)())
-- expect: false	attempt to yield across a C-call boundary
print(pcall(table.sort, { 3, 1, 2, 5, 4, 9, 7 }, function() return true end))
-- expect: false	invalid order function for sorting
local nested = 0
table.sort(list, function(x, y) local small = { 3, 1, 2 } table.sort(small, function(p, q) nested = nested + 1 return p < q end) return x < y end)
print(nested > 1000, list[1], list[200])  -- expect: true	1	210
