-- Yields out of C functions and across them: lua_yieldk, lua_callk, lua_pcallk (manual §4.5).
local probe = require "probe"
local run, make = probe.run, probe.make
local function show(co, ...) print(coroutine.status(co), coroutine.resume(co, ...)) end

local co = coroutine.create(make "yield 1")
show(co, 1, 2); show(co, 3, 4); show(co)
-- expect: suspended	true	2
-- expect: suspended	true	3	4
-- expect: dead	false	cannot resume dead coroutine

co = coroutine.create(function(...) return "end", run("pushint 5; yieldk 1 'gettop; return M'", ...) end)
show(co, "a", "b"); show(co, "x", "y"); show(co)
-- expect: suspended	true	5
-- expect: suspended	true	end	a	b	x	y	1	5
-- expect: dead	false	cannot resume dead coroutine

-- a continuation that yields again, many times: neither stack grows
co = coroutine.create(function(f)
  local n = 0
  while true do n = n + run("yieldk 0 'settop 2; return 1'") end
end)
coroutine.resume(co)
for i = 1, 1000 do coroutine.resume(co, i) end
print(coroutine.status(co))  -- expect: suspended

-- across lua_callk
co = coroutine.create(function()
  return run("pushvalue 1; pushint 1; callk 1 2 'remove 1; gettop; return M'", function(x) local y = coroutine.yield(x + 1); return y, "r2", "r3" end)
end)
show(co); show(co, "back"); show(co)
-- expect: suspended	true	2
-- expect: suspended	true	back	r2	1	3
-- expect: dead	false	cannot resume dead coroutine
-- the same without a yield: the code after the call goes on
co = coroutine.create(function() return run("pushvalue 1; callk 0 1 'remove 1; return M'", function() return "direct" end) end)
show(co)  -- expect: suspended	true	direct	0
-- across lua_pcallk: success, error after a yield, error without one
co = coroutine.create(function() return run("pushvalue 1; pcallk 0 M 0 'remove 1; return M'", function() coroutine.yield(1); return "ok" end) end)
show(co); show(co, 2)
-- expect: suspended	true	1
-- expect: suspended	true	ok	1
co = coroutine.create(function() return run("pushvalue 1; pcallk 0 M 0 'remove 1; return M'", function() coroutine.yield(1); error("bad", 0) end) end)
show(co); show(co, 2)
-- expect: suspended	true	1
-- expect: suspended	true	bad	2
co = coroutine.create(function() return run("pushvalue 1; pcallk 0 M 0 'remove 1; return M'", function() error("at once", 0) end) end)
show(co)  -- expect: suspended	true	at once	2
co = coroutine.create(function()
  return run("pushvalue 1; pushvalue 2; pcallk 0 M 1 'return 2'", function(m) return "handled " .. m end, function() coroutine.yield(1); error("bad", 0) end)
end)
show(co); show(co, 2)
-- expect: suspended	true	1
-- expect: suspended	true	handled bad	2
-- nested
co = coroutine.create(function()
  return run("pushvalue 1; pcallk 0 M 0 'remove 1; return M'", function()
    return run("pushvalue 1; callk 0 M 'remove 1; pushstr inner; return M'", function() coroutine.yield "deep"; return "value" end)
  end)
end)
show(co); show(co)
-- expect: suspended	true	deep
-- expect: suspended	true	value	1	inner	1
-- a C function called without a continuation cannot be yielded across
co = coroutine.create(function() return run("pushvalue 1; call 0 0", coroutine.yield) end)
show(co)  -- expect: suspended	false	attempt to yield across a C-call boundary
co = coroutine.create(function() return run("pushvalue 1; pcall 0 0 0; return 2", coroutine.yield) end)
show(co)  -- expect: suspended	true	attempt to yield across a C-call boundary	2
print(pcall(run, "yield 0"))  -- expect: false	attempt to yield from outside a coroutine
print(run("isyieldable; return 1"), coroutine.wrap(make "isyieldable; return 1")())  -- expect: false	true
print(coroutine.wrap(function() return run("pushvalue 1; call 0 1; return 1", coroutine.isyieldable) end)())
-- expect: false
print(coroutine.wrap(function() return run("pushvalue 1; callk 0 1 'return 1'", coroutine.isyieldable) end)())
-- expect: 0
-- metamethods called from C do not yield
co = coroutine.create(function() return run("getfield 1 x", setmetatable({}, { __index = coroutine.yield })) end)
show(co)  -- expect: suspended	false	attempt to yield across a C-call boundary
-- closing a coroutine that is suspended inside C
local log = {}
co = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function(_, e) log[#log + 1] = tostring(e) end })
  run("toclose 2; pushvalue 1; callk 0 0 ''", coroutine.yield, setmetatable({}, { __close = function() log[#log + 1] = "slot" end }))
end)
show(co)  -- expect: suspended	true
print(coroutine.close(co), table.concat(log, " "))  -- expect: true	slot nil
-- a C function as the body, whose slot is closed at its end
co = coroutine.create(make "toclose 1; yieldk 0 'pushstr done; return 1'")
show(co, setmetatable({}, { __close = function() print "closed" end })); show(co)
-- expect: suspended	true
-- expect: closed
-- expect: suspended	true	done
-- wrap, inside for
local sum = 0
for v in coroutine.wrap(function() for i = 1, 10 do run("yield 1", i) end end) do sum = sum + v end
print(sum)  -- expect: 55
-- dropped while suspended in C
for i = 1, 200 do
  local c = coroutine.wrap(function() run("pushvalue 1; callk 0 0 ''", coroutine.yield) end)
  c()
end
collectgarbage()
print "collected"  -- expect: collected
