-- Deep Lua recursion and yields from its bottom.
local function deep(n) if n == 0 then return coroutine.yield('bottom') end return 1 + deep(n - 1) end
local co = coroutine.create(deep)
print(coroutine.resume(co, 5000))  -- expect: true	bottom
print(coroutine.resume(co, 7))  -- expect: true	5007
local function nest(n) if n == 0 then return 'inner' end return coroutine.wrap(nest)(n - 1) end
print(nest(100))  -- expect: inner
local ok, message = pcall(function() local function forever(n) return coroutine.wrap(forever)(n + 1) end return forever(1) end)
print(ok, (tostring(message):match('C stack overflow')))  -- expect: false	C stack overflow
local tree = coroutine.wrap(function() local function walk(d) if d == 0 then coroutine.yield(1) else walk(d - 1) walk(d - 1) end end walk(10) end)
local count = 0
for _ in tree do count = count + 1 end
print(count)  -- expect: 1024
