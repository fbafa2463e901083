-- Operands and arguments are evaluated from left to right; locals may change meanwhile.
local log = {}
local function note(x) log[#log + 1] = x return x end
local _ = note(1) + note(2) * note(3), note(4)
print(note(5), note(6), (note(7)))  -- expect: 5	6	7
print(table.concat(log, ' '))  -- expect: 1 2 3 4 5 6 7
local x = 1
local function change() x = x + 10 return x end
print(x + change(), change() + x, x)  -- expect: 22	42	21
local t = {v = 1}
local function bump() t.v = t.v + 1 return t.v end
print(t.v + bump() + t.v)  -- expect: 5
local a = {1, 2, 3}
local i = 1
local function next_index() i = i + 1 return i end
a[i], a[next_index()] = 'first', 'second'
print(a[1], a[2], a[3])  -- expect: 1	first	3
