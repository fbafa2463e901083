-- stdin, stdout, stderr, io.output, io.input, io.write results.
print(io.type(io.stdin), io.type(io.stdout), io.type(io.stderr), io.output() == io.stdout, io.input() == io.stdin)
print(io.write('') == io.stdout, io.read('a') == '', io.read('l'), io.read(0), io.read('n'))
local name = os.tmpname()
io.output(name)
io.write('to the file ', 1, '\n')
print(io.output() ~= io.stdout)
io.close()
print(pcall(io.write, 'x'))
io.output(io.stdout)
io.input(name)
print(io.read('L'), io.read('l'))
io.close(io.input())
print(pcall(io.read))
io.input(io.stdin)
print(pcall(io.input, 'no/such/file'))
print(pcall(io.close, {}))
for line in io.lines(name) do io.write(line, '\n') end
print(io.stdout:seek('cur', 0) == nil or true, io.stdout:setvbuf('full'), io.stdout:setvbuf('line'), io.stdout:flush() == io.stdout, io.flush() == nil or true)
print((pcall(io.lines, name, {})))
print(io.stderr:write('') == io.stderr)
os.remove(name)
-- expect: file	file	file	true	true
-- expect: true	true	nil	nil	nil
-- expect: true
-- expect: false	default output file is closed
-- expect: to the file 1
-- expect: 	nil
-- expect: false	default input file is closed
-- expect: false	cannot open file 'no/such/file' (No such file or directory)
-- expect: false	bad argument #1 to 'io.close' (FILE* expected, got table)
-- expect: to the file 1
-- expect: true	true	true	false	true
-- expect: true
-- expect: true
