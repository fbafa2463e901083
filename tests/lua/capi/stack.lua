-- The stack of the C API: indices, moving values, lua_checkstack (manual §4.1).
local probe = require "probe"
local run = probe.run
print(run("gettop; return 1", 1, 2, 3))  -- expect: 3
print(run("pushvalue 1; pushvalue -2; return 2", "a", "b"))  -- expect: a	b
print(run("remove 1; return M", 1, 2, 3))  -- expect: 2	3
print(run("insert 1; return M", 1, 2, 3))  -- expect: 3	1	2
print(run("replace 1; return M", 1, 2, 3))  -- expect: 3	2
print(run("copy 1 3; return M", 1, 2, 3))  -- expect: 1	2	1
print(run("rotate 1 1; return M", 1, 2, 3, 4))  -- expect: 4	1	2	3
print(run("rotate 1 -1; return M", 1, 2, 3, 4))  -- expect: 2	3	4	1
print(run("rotate 2 2; return M", 1, 2, 3, 4, 5))  -- expect: 1	4	5	2	3
print(run("settop 5; return M", 1, 2))  -- expect: 1	2	nil	nil	nil
print(run("settop 1; return M", 1, 2))  -- expect: 1
print(run("settop -2; return M", 1, 2, 3))  -- expect: 1	2
print(run("absindex -1; absindex 1; absindex R; return 3", 1, 2))  -- expect: 2	1	-1001000
print(run("checkstack 100000; checkstack 2000000; return 2"))  -- expect: true	false
print(run("type 1; type 2; type 3; type U1; return 4", nil, 2))  -- expect: nil	number	string	no value
print(run("pushbool 0; pushbool 1; pushnum 1.5; pushlight 0; type -1; return 5"))
-- expect: false	true	1.5	userdata: (nil)	userdata
print(pcall(run, "Lcheckstack 5000000 'too many things'"))  -- expect: false	stack overflow (too many things)
print(select("#", run("checkstack 5000; settop 3000; return M")))  -- expect: 3000
-- upvalues of C functions
local f = probe.make("pushvalue U2; pushint 1; arith 0; pushvalue -1; replace U2; type U3; return 2", 10)
print(f(), f())  -- expect: 11	12	no value
print(probe.make("type U1; type U2; type U256; return 3")())  -- expect: string	no value	no value
print(probe.make("tostring U2; pushvalue U2; type -1; return 3", 42)())  -- expect: 42	42	string
-- light C functions are equal when their code is
print(run("pushclosure 0; pushclosure 0; rawequal -1 -2; iscfunction -2; return 2"))  -- expect: true	true
print(run("iscfunction 1; iscfunction 2; return 2", print, function() end))  -- expect: true	false
-- an index above the top: nothing is rotated
print(run("rotate 9 -1; return M", 1, 2))  -- expect: 1	2
print(run("remove 9; return M", 1, 2))  -- expect: 1
