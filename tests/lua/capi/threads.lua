-- lua_newthread, lua_resume, lua_closethread, and calls on threads that do not run (manual §4.6).
local probe = require "probe"
local t = probe.newthread()
print(type(t), coroutine.status(t), probe.status(t))  -- expect: thread	dead	0	0
print(coroutine.resume(t))  -- expect: false	cannot resume dead coroutine
probe.push_on(t, function(a, b) local c = coroutine.yield(a + b); return c, "end" end)
print(coroutine.status(t), probe.status(t))  -- expect: suspended	0	1
print(probe.resume(t, 3, 4)); print(coroutine.status(t), probe.status(t))
-- expect: 1	7
-- expect: suspended	1	0
print(probe.resume(t, "five")); print(coroutine.status(t), probe.status(t))
-- expect: 0	five	end
-- expect: dead	0	0
print(probe.resume(t))  -- expect: 2	cannot resume dead coroutine
-- again, with another function
probe.push_on(t, function(...) return select("#", ...), ... end)
print(probe.resume(t, 1, nil, 3))  -- expect: 0	3	1	nil	3
probe.push_on(t, math.max)
print(coroutine.resume(t, 4, 8))  -- expect: true	8
-- errors
probe.push_on(t, function() error("failed", 0) end)
print(probe.resume(t)); print(coroutine.status(t), (probe.status(t))); print(probe.resume(t))
-- expect: 2	failed
-- expect: dead	2
-- expect: 2	cannot resume dead coroutine
print(probe.closethread(t)); print(coroutine.status(t), probe.status(t))
-- expect: 2	failed
-- expect: dead	0	0
probe.push_on(t, function() return "alive again" end)
print(probe.resume(t))  -- expect: 0	alive again
-- threads that Lua made
local co = coroutine.create(function(a) local b = coroutine.yield(a); return b end)
print(probe.status(co)); print(probe.resume(co, 1)); print(coroutine.resume(co, 2))
-- expect: 0	1
-- expect: 1	1
-- expect: true	2
co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() error("closing", 0) end }); coroutine.yield() end)
coroutine.resume(co)
print(probe.closethread(co))  -- expect: 2	closing
-- calls on threads that do not run
t = probe.newthread()
print(probe.pcall_on(t, function(...) return coroutine.running() == t, ... end, 1, 2))  -- expect: 0	true	1	2
print(probe.pcall_on(t, error, "message"))  -- expect: 2	message
print(probe.pcall_on(t, coroutine.yield))  -- expect: 2	attempt to yield across a C-call boundary
print(pcall(probe.call_on, t, error, "through", 0))  -- expect: false	through
print(pcall(probe.call_on, t, function() local x = nil + 1 end))
-- expect: false	threads.lua:46: attempt to perform arithmetic on a nil value
print(probe.call_on(t, string.rep, "ab", 3))  -- expect: ababab
co = coroutine.create(function() coroutine.yield "first"; return "last" end)
print(coroutine.resume(co))  -- expect: true	first
print(probe.pcall_on(co, math.max, 3, 9))  -- expect: 0	9
print(coroutine.resume(co))  -- expect: true	last
-- the main thread, called from a coroutine
local main = coroutine.running()
print(coroutine.wrap(function() return probe.pcall_on(main, function() return coroutine.running() == main end) end)())
-- expect: 0	true
print((probe.extraspace()))  -- expect: 42
print(probe.resume(coroutine.running()))  -- expect: cannot resume non-suspended coroutine	2
print(coroutine.wrap(function() return probe.resume(coroutine.running()) end)())
-- expect: cannot resume non-suspended coroutine	2
-- C code that calls itself: an error, on the native stack of a coroutine, too
print(probe.recurse(20), pcall(probe.recurse, 1000))
-- expect: 20	false	C stack overflow
print(coroutine.wrap(function() return probe.recurse(20), pcall(probe.recurse, 1000) end)())
-- expect: 20	false	C stack overflow
local function nest(n) return n == 0 and probe.recurse(15) or coroutine.wrap(nest)(n - 1) end
print(nest(100), select(2, pcall(nest, 1000)):match("C stack overflow$"))
-- expect: 15	C stack overflow
-- machines of one's own
print(probe.machine("return 6 * 7", false)); print(probe.machine("error('oops', 0)", true))
-- expect: true	42	true	false
-- expect: true	oops	true	true
print(probe.machine([[local t = {} for i = 1, 1e4 do t[i] = ('x'):rep(i % 100) .. i end setmetatable({}, {__gc = function() end})
  return #table.concat(t) .. select(2, pcall(error, 'e', 0)) .. coroutine.wrap(function() coroutine.yield(1) end)()]], true))
  -- expect: true	533894e1	true	false
print(probe.sandbox())  -- expect: nilniltablexxxfunction
-- how many values lua_resume says that it leaves: after an error, all that the function which failed has left
co = probe.newthread()
probe.push_on(co, function() coroutine.yield(1, 2); error("failed", 0) end)
print(probe.resume_whole(co))  -- expect: 1	2	2
local status, count, height = probe.resume_whole(co, 1, 2)
print(status, count == height)  -- expect: 2	true
print((select(2, probe.resume_whole(co))))  -- expect: -1
-- what a thread and a userdata are known by
co = coroutine.create(print)
local is_same, text = probe.same_address(co)
print(is_same, string.format("%p", co) == text, tostring(co) == "thread: " .. text)  -- expect: true	true	true
is_same, text = probe.same_address(io.stdout)
print(is_same, string.format("%p", io.stdout) == text)  -- expect: true	true
is_same, text = probe.same_address(probe.same_address)
print(is_same, string.format("%p", probe.same_address) == text, tostring(probe.same_address) == "function: " .. text)  -- expect: true	true	true
