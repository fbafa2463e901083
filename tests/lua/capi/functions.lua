-- lua_tocfunction of library functions: hosts compare them, push them again, and call them from functions of their own.
local probe = require "probe"
for _, f in ipairs { print, pcall, error, type, next, string.rep, table.sort, math.max, coroutine.yield, io.write, os.time } do
  assert(probe.run("iscfunction 1; tocfunction 1; return 2", f))
  assert(select(2, probe.run("iscfunction 1; tocfunction 1; return 2", f)))
  -- The same function value comes back.
  assert(probe.run("pushcfunction 1; return 1", f) == f)
end
print(probe.run("tocfunction 1; return 1", function() end), probe.run("tocfunction 1; return 1", 1))
-- Called directly, with what is on the stack of the C function.
print(probe.run("pushvalue 1; remove 1; runcfunction -1 3; return 2", math.max, 3, 9, 4))
print(pcall(probe.run, "pushstr 'message'; pushvalue 1; remove 1; runcfunction -1 1; return 1", error))
print(pcall(probe.run, "pushcfunction 1; pushstr 'x'; pushint 3; call 2 1; return 1", string.rep))
print(pcall(probe.run, "pushcfunction 1; pushstr 'x'; pushstr 'y'; call 2 1; return 1", string.rep))
local co = coroutine.wrap(function(...) return "end", coroutine.yield(...) end)
print(co(1, 2), co(3))
co = coroutine.wrap(function() return probe.run("pushcfunction 1; pushint 5; callk 1 1 'return 1'; return 1", coroutine.yield) end)
print(co(), co("back"))
-- expect: false	false
-- expect: 9	1
-- expect: false	message
-- expect: true	xxx
-- expect: false	bad argument #2 to 'string.rep' (number expected, got string)
-- expect: 1	end	3
-- expect: 5	1
