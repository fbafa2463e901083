-- io.lines closes its file at the end and when the loop is left; file:lines does not.
local name = os.tmpname()
local f = assert(io.open(name, 'w')) for i = 1, 5 do f:write('line', i, '\n') end f:close()
for l in io.lines(name) do if l == 'line2' then break end io.write(l, ' ') end
print()  -- expect: line1
f = io.open(name)
for l in f:lines() do io.write(l, ' ') end
print(io.type(f), f:read()) f:close()
-- expect: line1 line2 line3 line4 line5 file	nil
-- expect: line1
f = io.open(name)
for l in f:lines('L') do io.write(l) break end
print(f:read()) f:close()  -- expect: line2
local it = io.lines(name)
for _ = 1, 5 do it() end
print(it(), pcall(it))  -- expect: nil	false	file is already closed
f = io.open(name) local lines = f:lines() f:close()
print(pcall(lines))  -- expect: false	file is already closed
print(select('#', io.lines(name)), select(2, pcall(io.lines, name, table.unpack({}, 1, 251))))
-- expect: 4	bad argument #252 to 'io.lines' (too many arguments)
for a, b, c in io.lines(name, 2, 3, 'l') do io.write(a, '-', tostring(b), '-', tostring(c), ' ') end
print()  -- expect: li-ne1- li-ne2- li-ne3- li-ne4- li-ne5-
do local g <close> = io.open(name) f = g end
print(io.type(f), tostring(f))  -- expect: closed file	file (closed)
local g = io.open(name) print(tostring(g):match('^file %(') , getmetatable(g).__name, g.read == getmetatable(g).__index.read) g:close()
-- expect: file (	FILE*	true
print(pcall(function() for l in io.lines(name, 'n') do error('x', 0) end end))  -- expect: true
os.remove(name)
