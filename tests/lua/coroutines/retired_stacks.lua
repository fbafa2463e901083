-- A coroutine that has returned gives its stack away at once; whoever looks at it finds it empty.
local co = coroutine.create(function(...) local a <close> = setmetatable({}, { __close = function() print('closed') end }) return ... end)
print(coroutine.resume(co, 1, 2, 3))  -- expect: closed
-- expect: true	1	2	3
local other = coroutine.wrap(function(a) local b = coroutine.yield(a) return a + b end)
print(other(20))  -- expect: 20
print(coroutine.status(co), coroutine.resume(co))  -- expect: dead	false	cannot resume dead coroutine
print(coroutine.close(co), coroutine.status(co))  -- expect: true	dead
print(debug.traceback(co))  -- expect: stack traceback:
print(debug.getinfo(co, 0), pcall(debug.getlocal, co, 0, 1))  -- expect: nil	false	bad argument #2 to 'debug.getlocal' (level out of range)
debug.sethook(co, function() end, 'l')
print(debug.gethook(co) ~= nil, coroutine.isyieldable(co))  -- expect: true	true
collectgarbage()
print(other(3), coroutine.resume(co, 1))  -- expect: 23	false	cannot resume dead coroutine

-- Variables that closures have captured outlive the stack they were on.
local get, set
coroutine.wrap(function() local v = 'kept' get, set = function() return v end, function(x) v = x end end)()
for i = 1, 100 do coroutine.wrap(function(...) return ... end)(i, {}, 'x' .. i) end
collectgarbage()
print(get())  -- expect: kept
set('changed')
print(get())  -- expect: changed

-- One that fails keeps the stack for its traceback until it is closed.
local failed = coroutine.create(function() local function deep() error('oops', 0) end deep() end)
print(coroutine.resume(failed))  -- expect: false	oops
for i = 1, 10 do coroutine.wrap(function() return i end)() end
print((debug.traceback(failed):gsub('[^\n]*\n?', function() return '.' end)) ~= '.')  -- expect: true
print(coroutine.close(failed))  -- expect: false	oops
print(coroutine.close(failed), debug.traceback(failed))  -- expect: true	stack traceback:

-- Results that are many; coroutines that end in each other's places.
local function count(n) return select('#', coroutine.wrap(function() return table.unpack({}, 1, n) end)()) end
print(count(0), count(1), count(200), count(5000))  -- expect: 0	1	200	5000
local function nest(n) if n == 0 then return 0 end return 1 + coroutine.wrap(nest)(n - 1) end
print(nest(150), nest(150))  -- expect: 150	150
-- A finalizer makes coroutines while others end.
local made = 0
for i = 1, 300 do
  setmetatable({}, { __gc = function() made = made + coroutine.wrap(function() return 1 end)() end })
  coroutine.wrap(function() local t = {} for k = 1, 20 do t[k] = {} end return t end)()
end
collectgarbage()
collectgarbage()
print(made)  -- expect: 300
