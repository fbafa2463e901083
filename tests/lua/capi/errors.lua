-- Errors through C functions: they unwind like longjmp, and stop where lua_pcall stands (manual §4.4).
local probe = require "probe"
local run, make = probe.run, probe.make
print(pcall(run, "error", "plain"))  -- expect: false	plain
print(type(select(2, pcall(run, "error", { 1 }))))  -- expect: table
print(select(2, pcall(run, "pushnil; error")))  -- expect: nil
print(pcall(run, "Lerror 'a message'"))  -- expect: false	a message
print(pcall(make "Lerror 'of a closure'"))  -- expect: false	of a closure
local function lua() run("Lerror 'from lua'") end
print(pcall(lua))  -- expect: false	errors.lua:9: from lua
-- through several levels of C and Lua
local function deep(n) if n == 0 then error("bottom", 0) end return run("pushvalue 1; pushvalue 2; call 1 0", deep, n - 1) end
print(pcall(deep, 20))  -- expect: false	bottom
print(run("pushvalue 1; pcall 0 0 0; return 2", function() error("caught", 0) end))  -- expect: caught	2
print(run("pushvalue 1; pushint 1; pcall 1 M 0; return 3", function(x) return x, x end))  -- expect: 1	1	0
print(run("pushvalue 2; pushvalue 1; pcall 0 1 2; return 2", function() error("E", 0) end, function(m) return m .. " handled" end))
-- expect: E handled	2
print(run("pcall 0 0 0; return M", function() local x = nil; x() end))
-- expect: errors.lua:18: attempt to call a nil value (local 'x')	2
print(run("pushint 5; pcall 0 0 0; return 2"))  -- expect: attempt to call a number value	2
print(run("pushvalue 2; pushvalue 1; pcall 0 0 2; return 2", function() error "x" end, function() error "y" end))
-- expect: error in error handling	5
-- arguments
local names = setmetatable({}, { __index = function(t, k) t[k] = make(k) return t[k] end })
print(pcall(names["Lcheckint 1"], "x"))  -- expect: false	bad argument #1 to '?' (number expected, got string)
print(pcall(names["Lcheckint 1"], 1.5))
-- expect: false	bad argument #1 to '?' (number has no integer representation)
print(pcall(names["Lcheckint 1"]))  -- expect: false	bad argument #1 to '?' (number expected, got no value)
print(pcall(names["Lcheckint 2; return 1"], 1, "8"))  -- expect: true	8
print(pcall(names["Lchecknum 1"], {}))  -- expect: false	bad argument #1 to '?' (number expected, got table)
print(pcall(names["Lcheckstr 1"], setmetatable({}, { __name = "My.Type" })))
-- expect: false	bad argument #1 to '?' (string expected, got My.Type)
print(pcall(names["Loptint 1 5; return 1"]), pcall(names["Loptint 1 5; return 1"], 6))  -- expect: true	true	6
print(pcall(names["Loptstr 1 dflt; return 1"], nil))  -- expect: true	dflt
print(pcall(names["Lchecktype 1 5"], 1))  -- expect: false	bad argument #1 to '?' (table expected, got number)
print(pcall(names["Lcheckany 1"]))  -- expect: false	bad argument #1 to '?' (value expected)
print(pcall(names["Ltypeerror 1 foo"], 1))  -- expect: false	bad argument #1 to '?' (foo expected, got number)
print(pcall(names["pushlight 1; Ltypeerror -1 foo"]))
-- expect: false	bad argument #-1 to '?' (foo expected, got light userdata)
probe.method = make "Largerror 1 'bad self'"
print(pcall(function() probe.method(1) end))
-- expect: false	errors.lua:41: bad argument #1 to 'method' (bad self)
print(pcall(function() probe:method(1) end))
-- expect: false	errors.lua:43: calling 'method' on bad self (bad self)
probe.second = make "Largerror 2 'bad thing'"
print(pcall(function() probe:second(1) end))
-- expect: false	errors.lua:46: bad argument #1 to 'second' (bad thing)
print(pcall(function() local f = make "Lcheckint 1"; f("q") end))
-- expect: false	errors.lua:48: bad argument #1 to 'f' (number expected, got string)
table.myfun = make "Lcheckint 1"
print(pcall(table.myfun))  -- expect: false	bad argument #1 to 'table.myfun' (number expected, got no value)
table.myfun = nil
-- where
local function at() return run("Lwhere 0; Lwhere 1; Lwhere 2; Lwhere 50; return 4") end
print((at()))  -- expect:
print(at())  -- expect: 	errors.lua:54: 	errors.lua:56:
-- deep recursion of C calls ends in an error, which is caught
local function recurse() return run("pushvalue 1; call 0 0", recurse) end
local ok, message = pcall(function() local function f() return run("pushvalue 1; pushvalue 1; call 1 0", f) end; f() end)
print(ok, message)  -- expect: false	C stack overflow
local depth = 0
local function nested() depth = depth + 1; run("pushvalue 1; call 0 0", nested) end
local ok, message = pcall(nested)
print(ok, (message:gsub("^.-:%d+: ", "")), depth > 150 and depth < 250)
-- expect: false	C stack overflow	true
-- to-be-closed slots
local function closer(name) return setmetatable({}, { __close = function(_, e) print("close", name, e) end }) end
print(run("toclose 1; toclose 2; pushint 7; return 1", closer "a", closer "b"))
-- expect: close	b	nil
-- expect: close	a	nil
-- expect: 7
print(pcall(run, "toclose 1; Lerror oops", closer "c"))
-- expect: close	c	oops
-- expect: false	oops
run("toclose 1; settop 0; pushint 1; return 0", closer "d")  -- expect: close	d	nil
print(run("toclose 1; closeslot 1; type 1; return 1", closer "e"))
-- expect: close	e	nil
-- expect: nil
run("pushnil; toclose -1; pushbool 0; toclose -1")
print(pcall(run, "pushint 1; toclose -1"))  -- expect: false	variable '(C temporary)' got a non-closable value
print(pcall(run, "toclose 1; return 0", setmetatable({}, { __close = function() error("in close", 0) end })))
-- expect: false	in close
-- messages of values that are not strings
print(select(2, pcall(run, "pushbool 1; error")))  -- expect: true
-- warnings
probe.catch_warnings()
run("warning 1 first; warning 0 second; warning 0 '@on'")
warn("a", "b")
setmetatable({}, { __gc = function() error("gc failed", 0) end })
collectgarbage() collectgarbage()
print(probe.warnings())  -- expect: first+second;@on;a+b;error in +__gc+ (+gc failed+);
