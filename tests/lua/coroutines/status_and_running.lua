-- status, running, isyieldable.
local main, is_main = coroutine.running()
print(type(main), is_main, coroutine.status(main), coroutine.isyieldable(), coroutine.isyieldable(main))
-- expect: thread	true	running	false	false
local outer
outer = coroutine.create(function()
  print(coroutine.status(outer), coroutine.isyieldable(), select(2, coroutine.running()), coroutine.status(main))
  local inner = coroutine.create(function() print(coroutine.status(outer)) coroutine.yield() end)
  coroutine.resume(inner)
  print(coroutine.status(inner), coroutine.isyieldable(inner))
  error('x')
end)
print(coroutine.status(outer))  -- expect: suspended
print(coroutine.resume(outer))
-- expect: running	true	false	normal
-- expect: normal
-- expect: suspended	true
-- expect: false	status_and_running.lua:11: x
print(coroutine.status(outer), coroutine.running() == main)  -- expect: dead	true
print(pcall(coroutine.status, {}))
-- expect: false	bad argument #1 to 'coroutine.status' (thread expected, got table)
print(pcall(coroutine.status))
-- expect: false	bad argument #1 to 'coroutine.status' (thread expected, got no value)
