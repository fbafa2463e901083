-- Resuming dead, running and normal coroutines fails with a message.
local co = coroutine.create(function() end)
coroutine.resume(co)
print(coroutine.resume(co))  -- expect: false	cannot resume dead coroutine
print(coroutine.resume(coroutine.running()))  -- expect: false	cannot resume non-suspended coroutine
local self
self = coroutine.create(function() return coroutine.resume(self) end)
print(coroutine.resume(self))  -- expect: true	false	cannot resume non-suspended coroutine
local normal
normal = coroutine.create(function()
  return coroutine.resume(coroutine.create(function() return coroutine.resume(normal) end))
end)
print(coroutine.resume(normal))  -- expect: true	true	false	cannot resume non-suspended coroutine
print(coroutine.resume(coroutine.create(function() error('with position') end)))
-- expect: false	resume_errors.lua:14: with position
print(coroutine.resume(coroutine.create(function() error('without', 0) end)))  -- expect: false	without
local ok, object = coroutine.resume(coroutine.create(function() error({code = 7}) end))
print(ok, object.code)  -- expect: false	7
print(coroutine.resume(coroutine.create(function() local x; x() end)))
-- expect: false	resume_errors.lua:19: attempt to call a nil value (local 'x')
print(pcall(coroutine.yield))  -- expect: false	attempt to yield from outside a coroutine
print(select(2, pcall(coroutine.wrap(function() coroutine.wrap(function() error('deep') end)() end))))
-- expect: resume_errors.lua:22: resume_errors.lua:22: deep
