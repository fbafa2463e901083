-- Tables, metatables, userdata and references through the C API (manual §4.6, §5).
local probe = require "probe"
local run = probe.run
local t = { x = 1, 10, 20 }
print(run("getfield 1 x; geti 1 2; rawgeti 1 1; pushstr x; rawget 1; pushstr x; gettable 1; return 5", t))
-- expect: 1	20	10	1	1
run("pushint 5; setfield 1 y; pushint 6; seti 1 3; pushint 7; rawseti 1 4; pushstr k; pushint 8; rawset 1; pushstr j; pushint 9; settable 1", t)
print(t.y, t[3], t[4], t.k, t.j)  -- expect: 5	6	7	8	9
local log = {}
local proxy = setmetatable({}, {
  __index = function(_, k) return "got " .. tostring(k) end,
  __newindex = function(_, k, v) log[#log + 1] = tostring(k) .. "=" .. tostring(v) end,
})
print(run("getfield 1 a; geti 1 3; pushbool 1; gettable 1; rawgeti 1 3; return 4", proxy))
-- expect: got a	got 3	got true	nil
run("pushint 1; setfield 1 a; pushint 2; seti 1 3; pushnil; pushint 3; settable 1", proxy)
print(table.concat(log, " "))  -- expect: a=1 3=2 nil=3
print(pcall(run, "getfield 1 a", 5))  -- expect: false	attempt to index a number value
print(pcall(run, "getfield 1 a; return 1", "s"), run("getfield 1 len; type -1; return 1", "s"))
-- expect: true	function
print(pcall(run, "pushnil; pushnil; rawset 1", {}))  -- expect: false	table index is nil
print(pcall(run, "pushnum nan; pushint 1; rawset 1", {}))  -- expect: false	table index is NaN
print(run("getglobal print; type -1; return 1"))  -- expect: function
run("pushint 11; setglobal probe_global"); print(probe_global)  -- expect: 11
-- next
print(run("pushnil; next 1; return 1", {}), run("pushnil; next 1; return 3", { 7 }))
-- expect: false	1	7	true
print(pcall(run, "pushint 99; next 1; return 1", { 7 }))  -- expect: false	invalid key to 'next'
-- metatables
print(run("getmetatable 1; return 1", {}))  -- expect: false
print(run("Lgetmetafield 1 __index; return 2", setmetatable({}, { __index = 5 })))  -- expect: 5	3
print(run("Lgetmetafield 1 __nothing; return 1", setmetatable({}, {})))  -- expect: 0
print(run("Lcallmeta 1 __tostring; return 2", setmetatable({}, { __tostring = function() return "T" end })))
-- expect: T	true
print(run("newtable; newtable; pushint 3; setfield -2 x; pushvalue -1; setfield -2 __index; setmetatable -2; getfield -1 x; return 1"))
-- expect: 3
print(run("Lgetsubtable 1 sub; pop 1; Lgetsubtable 1 sub; return 1", {}), run("Lgetsubtable 1 sub; return 1", {}))
-- expect: true	false
-- userdata
print(run("newuserdata 10 2; rawlen -1; type -2; isuserdata -3; return 3"))  -- expect: 10	userdata	true
local u = run("newuserdata 0 2; return 1")
print(run("pushint 5; setiuservalue 1 2; getiuservalue 1 2; getiuservalue 1 1; getiuservalue 1 3; return 7", u))
-- expect: true	5	3	nil	0	nil	-1
print(run("pushint 5; setiuservalue 1 3; return 1", u))  -- expect: false
print(debug.getuservalue(u, 2))  -- expect: 5	true
print(run("Lnewmetatable Probe.T; Lnewmetatable Probe.T; return 1"))  -- expect: false
local object = run("newuserdata 4 0; Lsetmetatable Probe.T; return 1")
print(run("Ltestudata 1 Probe.T; Ltestudata 1 Other; Ltestudata 2 Probe.T; return 3", object, 5))
-- expect: true	false	false
print(pcall(run, "Lcheckudata 1 Other", object))
-- expect: false	bad argument #1 to 'probe.run' (Other expected, got Probe.T)
print(pcall(run, "Lcheckudata 1 Probe.T", 5))
-- expect: false	bad argument #1 to 'probe.run' (Probe.T expected, got number)
print((tostring(object):gsub("0x%x+", "PTR")))  -- expect: Probe.T: PTR
-- __gc and __close of userdata
local closed = {}
local meta = { __gc = function() closed[#closed + 1] = "gc" end, __close = function(_, e) closed[#closed + 1] = "close " .. tostring(e) end }
run("newuserdata 8 0; pushvalue 1; setmetatable -2; return 0", meta)
collectgarbage() collectgarbage()
print(table.concat(closed, ","))  -- expect: gc
-- references
local refs = {}
print(run("pushstr a; Lref 1; pushstr b; Lref 1; pushnil; Lref 1; return 3", refs))  -- expect: 1	2	-1
local r1 = run("pushstr c; Lref 1; return 1", refs)
print(refs[r1])  -- expect: c
run("Lunref 1 " .. r1, refs)
print(run("pushstr d; Lref 1; return 1", refs) == r1, refs[r1])  -- expect: true	d
