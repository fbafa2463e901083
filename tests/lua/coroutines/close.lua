-- coroutine.close: pending to-be-closed variables, errors, states (manual 6.2).
local function guard(name, fail) return setmetatable({}, {__close = function(_, e) print('closing ' .. name, e) if fail then error(fail, 0) end end}) end
local co = coroutine.create(function() local a <close> = guard 'a' local b <close> = guard 'b' coroutine.yield(1) print 'never' end)
print(coroutine.resume(co))  -- expect: true	1
print(coroutine.close(co), coroutine.status(co))
-- expect: closing b	nil
-- expect: closing a	nil
-- expect: true	dead
print(coroutine.close(co), coroutine.resume(co))  -- expect: true	false	cannot resume dead coroutine
co = coroutine.create(function() local a <close> = guard('a', 'from a') local b <close> = guard('b', 'from b') coroutine.yield() end)
coroutine.resume(co)
print(coroutine.close(co))
-- expect: closing b	nil
-- expect: closing a	from b
-- expect: false	from a
print(coroutine.status(co), coroutine.close(co))  -- expect: dead	true
print(coroutine.close(coroutine.create(print)))  -- expect: true
co = coroutine.create(function() error('failed', 0) end)
print(coroutine.resume(co))  -- expect: false	failed
print(coroutine.close(co))  -- expect: false	failed
print(coroutine.close(co))  -- expect: true
print(pcall(coroutine.close, coroutine.running()))  -- expect: false	cannot close a running coroutine
co = coroutine.create(function(c) return pcall(coroutine.close, c) end)
print(coroutine.resume(co, co))  -- expect: true	false	cannot close a running coroutine
print(coroutine.resume(coroutine.create(function() return pcall(coroutine.close, coroutine.running()) end)))
-- expect: true	false	cannot close a running coroutine
co = coroutine.wrap(function() local a <close> = guard 'wrapped' error('in wrap', 0) end)
print(pcall(co))
-- expect: closing wrapped	in wrap
-- expect: false	in wrap
-- Closed while the method of one variable has yielded, called for an error: the others are closed without the error, by who closes the
-- coroutine; those of a coroutine that is only collected are not.
local function pauses() return setmetatable({}, {__close = function(_, e) print('pausing', e) coroutine.yield() print 'never' end}) end
local function start(catch)
  co = coroutine.create(function()
    local first <close> = guard 'first'
    catch(function()
      local a <close> = guard 'a'
      local b <close> = pauses()
      local c <close> = guard 'c'
      error('failed', 0)
    end, print)
  end)
  return coroutine.resume(co)
end
print(start(pcall))
-- expect: closing c	failed
-- expect: pausing	failed
-- expect: true
print(coroutine.close(co), coroutine.status(co))
-- expect: closing a	nil
-- expect: closing first	nil
-- expect: true	dead
print(start(xpcall))
-- expect: failed
-- expect: closing c	nil
-- expect: pausing	nil
-- expect: true
co = nil
collectgarbage()
print(pcall(coroutine.close, 5))
-- expect: false	bad argument #1 to 'coroutine.close' (thread expected, got number)
