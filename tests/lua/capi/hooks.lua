-- C hooks are for the thread they are set for, and for those that it makes from then on.
local probe = require "probe"
local function work(n)
  local x = 0
  for i = 1, n do x = x + i end
  return x
end
for _ = 1, 100 do work(100) end
local before = coroutine.create(work)
probe.sethook("note", 8, 1000)
local after, wrapped = coroutine.create(work), coroutine.wrap(work)
coroutine.resume(before, 100000)
local first = #probe.hook_log()
coroutine.resume(after, 100000)
local second = #probe.hook_log()
wrapped(100000)
local third = #probe.hook_log()
probe.sethook(nil)
print(first < 100, second > first + 500, third > second + 500)  -- expect: true	true	true
-- What a host stops so, it stops in coroutines, too.
print(pcall(function()
  probe.sethook("raise", 8, 10000)
  coroutine.wrap(function() while true do end end)()
end))  -- expect: false	hooks.lua:23: raised by a hook
probe.sethook(nil)
print(pcall(function()
  probe.sethook("raise", 8, 10000)
  coroutine.wrap(function() coroutine.wrap(function() while true do work(10) end end)() end)()
end))  -- expect: false	hooks.lua:28: hooks.lua:28: hooks.lua:28: raised by a hook
probe.sethook(nil)
-- A hook that a script sets is for one thread.
local events = 0
debug.sethook(function() events = events + 1 end, "", 1)
local co = coroutine.create(work)
debug.sethook()
events = 0
coroutine.resume(co, 1000)
print(events)  -- expect: 0
