-- open modes, write chaining, read formats, seek, lines (manual 6.8).
local name = os.tmpname()
local f = assert(io.open(name, 'w'))
print(io.type(f), f:write('line 1\n', 2, ' ', 3.5, '\nline 3 without newline') == f, f:close(), io.type(f), io.type(42))
-- expect: file	true	true	closed file	nil
f = assert(io.open(name))
print(f:read(), f:read('n', 'n'), f:read('L'), f:read('l'), f:read('l'), f:read(0))
-- expect: line 1	2
-- expect: 	line 3 without newline	nil	nil
print(f:seek('set', 0), f:read(4), f:seek(), f:seek('cur', -2), f:read('a'):len(), f:read('a'), f:read(1), f:seek('end'))
-- expect: 0	line	4	2	33		nil	35
f:close()
for line in io.lines(name) do io.write('[', line, ']') end
print()
-- expect: [line 1][2 3.5][line 3 without newline]
-- expect: <l|ine 1
-- expect: ><2| 3.5
for a, b in io.lines(name, 1, 'L') do io.write('<', a, '|', b, '>') end
print()  -- expect: ><l|ine 3 without newline>
f = assert(io.open(name, 'a')) f:write('\nappended') f:close()
f = assert(io.open(name, 'r+')) f:write('LINE') f:seek('set', 0) print(f:read('a')) f:close()
-- expect: LINE 1
-- expect: 2 3.5
-- expect: line 3 without newline
-- expect: appended
f = assert(io.open(name, 'w+')) f:write('new content') f:seek('set', 4) print(f:read(3), f:read('*a'), f:read('*l')) f:close()
-- expect: con	tent	nil
f = assert(io.open(name, 'wb')) f:write(('x'):rep(100000), '\0\r\n') f:close()
f = assert(io.open(name, 'rb')) print(#f:read(50000), #f:read('a'), f:read(10)) f:close()
-- expect: 50000	50003	nil
print(pcall(f.read, f))  -- expect: false	attempt to use a closed file
print(pcall(f.write, f, 'x'))  -- expect: false	attempt to use a closed file
print(tostring(f), pcall(function() for _ in io.lines(name, 'x') do end end))
-- expect: file (closed)	false	write_and_read_files.lua:33: bad argument #2 to 'for iterator' (invalid format)
print(io.open('no/such/file'))  -- expect: nil	no/such/file: No such file or directory	2
print(pcall(io.lines, 'no/such/file'))
-- expect: false	cannot open file 'no/such/file' (No such file or directory)
print(pcall(io.open, name, 'bad mode'))  -- expect: false	bad argument #2 to 'io.open' (invalid mode)
print(pcall(io.open))  -- expect: false	bad argument #1 to 'io.open' (string expected, got no value)
os.remove(name)
print(os.remove(name) == nil)  -- expect: true
