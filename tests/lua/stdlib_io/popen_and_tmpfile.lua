-- popen reads and writes commands, its close gives the exit status; tmpfile.
local p = io.popen('echo hello; exit 3')
print(p:read('a'), io.type(p), p:close())
-- expect: hello
-- expect: 	file	nil	exit	3
print(io.popen('true'):close())  -- expect: true	exit	0
print(io.popen('kill -9 $$'):close())
-- expect: nil	signal	9
-- expect: through cat
local w = io.popen('cat', 'w') w:write('through cat\n') w:close()
print(pcall(io.popen, 'true', 'x'))  -- expect: false	bad argument #2 to 'io.popen' (invalid mode)
local t = io.tmpfile() t:write('temporary') t:seek('set') print(t:read('a')) t:close()  -- expect: temporary
print(os.execute('exit 5'))  -- expect: nil	exit	5
print(os.execute('true'), os.execute())  -- expect: true	true
