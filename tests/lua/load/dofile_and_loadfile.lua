-- loadfile and dofile read files; missing files are reported.
local name = os.tmpname()
local file = assert(io.open(name, 'w'))
file:write('#!shebang\nlocal a, b = ...\nreturn a, b, x\n')
file:close()
x = 'global x'
print(loadfile(name)(1, 2))  -- expect: 1	2	global x
print(select('#', dofile(name)), (select(3, dofile(name))))  -- expect: 3	global x
print(loadfile(name, 't', {x = 'env x'})('p'))  -- expect: p	nil	env x
print(loadfile(name, 'b') == nil)  -- expect: true
file = assert(io.open(name, 'wb'))
file:write(string.dump(load('return "binary", ...')))
file:close()
print(loadfile(name)('arg'))  -- expect: binary	arg
print(dofile(name))  -- expect: binary
print(loadfile(name, 't') == nil)  -- expect: true
file = assert(io.open(name, 'w')) file:write('x = = 1') file:close()
local f, message = loadfile(name)
print(f, (message:gsub('^.*:(%d+:)', '%1')))  -- expect: nil	1: unexpected symbol near '='
print(pcall(dofile, name) == false)  -- expect: true
file = assert(io.open(name, 'w')) file:write('\xEF\xBB\xBFreturn "after byte order mark"') file:close()
print(dofile(name))  -- expect: after byte order mark
os.remove(name)
print(loadfile('no/such/file.lua'))  -- expect: nil	cannot open no/such/file.lua: No such file or directory
print(pcall(dofile, 'no/such/file.lua'))
-- expect: false	cannot open no/such/file.lua: No such file or directory
print(pcall(loadfile, {}))  -- expect: false	bad argument #1 to 'loadfile' (string expected, got table)
