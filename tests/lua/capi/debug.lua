-- The debug interface of the C API (manual §4.7).
local probe = require "probe"
local run = probe.run
local function fields(t) local o = {} if t.istailcall then t.istailcall = t.istailcall ~= 0 end for k, v in pairs(t) do o[#o + 1] = k .. "=" .. tostring(v) end table.sort(o) return table.concat(o, " ") end
local function lua(a, b, ...) local ok, t = probe.info("Slnut", 1); return fields(t) end
print(lua(1, 2, 3))
-- expect: currentline=5 istailcall=false isvararg=1 lastlinedefined=5 linedefined=5 name=lua namewhat=local nparams=2 nups=2 short_src=debug.lua source=@debug.lua srclen=10 what=Lua
print((fields(select(2, probe.info("Sunl", print)))))
-- expect: currentline=-1 isvararg=1 lastlinedefined=-1 linedefined=-1 namewhat= nparams=0 nups=0 short_src=[C] source==[C] srclen=4 what=C
print((fields(select(2, probe.info("Snu", lua)))))
-- expect: isvararg=1 lastlinedefined=5 linedefined=5 namewhat= nparams=2 nups=2 short_src=debug.lua source=@debug.lua srclen=10 what=Lua
print(fields(select(2, probe.info("nSl", 0))))
-- expect: currentline=-1 lastlinedefined=-1 linedefined=-1 name=info namewhat=field short_src=[C] source==[C] srclen=4 what=C
local function tail() return lua() end
print((tail()))
-- expect: currentline=5 istailcall=true isvararg=1 lastlinedefined=5 linedefined=5 namewhat= nparams=2 nups=2 short_src=debug.lua source=@debug.lua srclen=10 what=Lua
local ok, t, f = probe.info("f", lua); print(ok, f == lua)  -- expect: true	true
local ok, t, lines = probe.info("L", lua); for k in pairs(lines) do print(k) end  -- expect: 5
local ok, t, f, lines = probe.info("fL", lua); print(f == lua, type(lines))  -- expect: true	table
print((probe.info("x", 0))); print(probe.info("S", 100))
-- expect: false
-- expect:
local function l() local x, y = 1, 2; do local z = 3 end; return (probe.locals(1)) end
print(l()); print(probe.locals(0)); print(probe.parameter(function(p, q) local r end, 2)) print(probe.parameter(print, 1))
-- expect: x y
-- expect: (C temporary) (C temporary)
-- expect: q	3
-- expect: nil	3
local function s() local x = 1; local name, top = probe.setlocal(1, 1, 99); return x, name, top, probe.setlocal(1, 50, 99) end
print(s())  -- expect: 99	x	2	nil	3
-- upvalues
local a, b = 1, 2
local function up() return a, b end
local function other() return b end
print(run("getupvalue 1 1; getupvalue 1 2; return 4", up))  -- expect: 1	a	2	b
print(run("pushint 50; setupvalue 1 1; getupvalue 1 9; return 2", up), a)  -- expect: a	50
print(run("sameupvalue 1 2 2 1; sameupvalue 1 1 2 1; return 2", up, other))  -- expect: true	false
run("upvaluejoin 1 1 2 1", up, other); print(up())  -- expect: 2	2
local c = probe.make("return 0", "second"); print(run("getupvalue 1 2; return 2", c)); print(run("getupvalue 1 3; return M", c) == nil)
-- expect: second
-- expect: false
print(run("getupvalue 1 1; setupvalue 1 1; sameupvalue 1 1 1 1; return 3", {}))  -- expect: nil	nil	true
-- tracebacks
local function tb() return (probe.traceback(nil, "message", 0):gsub("\n.*main chunk.*", "")) end
print((tb()))  -- expect: message
local co = coroutine.create(function() local x; coroutine.yield() end); coroutine.resume(co)
print(probe.traceback(co, "co"))
-- expect: co
-- expect: stack traceback:
-- expect: 	[C]: in function 'coroutine.yield'
-- expect: 	debug.lua:46: in function <debug.lua:46>
print(probe.traceback(co))
-- expect: stack traceback:
-- expect: 	[C]: in function 'coroutine.yield'
-- expect: 	debug.lua:46: in function <debug.lua:46>
-- hooks
local function hooked(n)
  local x = 1
  for i = 1, n do x = x + i end
  return x
end
print(probe.sethook("note", 1 + 2)); hooked(1); print(probe.sethook(nil)); print((probe.hook_log()))
-- expect: true	3	0
-- expect: true	0	0
-- expect:
print(probe.sethook("note", 4)); hooked(2); local log = probe.hook_log(); probe.sethook(nil); print(log)
-- expect: true	4	0
-- expect: line 58; line 59; line 59; line 60;
print(probe.sethook("note", 8, 1000)); for i = 1, 3 do hooked(1000) end; log = probe.hook_log(); probe.sethook(nil)
-- expect: true	8	1000
print(select(2, log:gsub("count", "")) > 5)  -- expect: true
print(pcall(function() probe.sethook("raise", 4)  -- expect: false	raised by a hook
  local x = 1
end))
print(probe.sethook("note", 4)); print(debug.gethook()); probe.sethook(nil); print(debug.gethook())
-- expect: true	4	0
-- expect: external hook	l	0
-- expect: nil
-- a hook of the debug library, taken away and put back
local count = 0
local function hook() count = count + 1 end
debug.sethook(hook, "l")
probe.without_hook(hooked, 5)
local before = count; print(debug.gethook() == hook)  -- expect: true
hooked(1); debug.sethook(); print(count > before)  -- expect: true
-- a hook that yields
co = coroutine.create(function() local x = 1
  x = x + 1
  x = x + 1
  return x end)
probe.sethook("yield", 4, 0, co)
local n = 0
while coroutine.status(co) == "suspended" do n = n + 1; ok, t = coroutine.resume(co) end
print(n, ok, t)  -- expect: 5	true	3
-- level 0 in a hook is the hooked function
probe.sethook("note", 1); (function() end)(); print((probe.hook_log():match("call Lua [^;]*"))); probe.sethook(nil)
-- expect: call Lua ?
