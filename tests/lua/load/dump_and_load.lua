-- string.dump and load give the same function; strip removes debug information (manual 6.4).
local function original(a, b, ...) local t = {a, b, ...} for i = 1, #t do t[i] = t[i] * 2 end return table.concat(t, ','), 1.5, 'text', nil, true end
local copy = load(string.dump(original))
print(copy(1, 2, 3))
print(load(string.dump(original, true))(4, 5))
local binary = string.dump(original)
print(type(binary), binary:sub(1, 1) == '\27', load(binary, 'name', 'b') ~= nil, load(binary, 'name', 't'))
local up = 10
local function with_upvalue() up = (up or 0) + 1 return up end
local loaded = load(string.dump(with_upvalue))
print(pcall(loaded))
print(debug.setupvalue(loaded, 1, 5), loaded(), with_upvalue())
local nested = load(string.dump(function(n) local function fib(k) return k < 2 and k or fib(k - 1) + fib(k - 2) end return fib(n) end))
print(nested(15))
print(pcall(string.dump, print))
print(pcall(string.dump, 5))
local stripped = load(string.dump(load('local x = ...\nerror("here")', '=source'), true))
print(pcall(stripped))
local kept = load(string.dump(load('local x = ...\nerror("here")', '=source')))
print(pcall(kept))
print(debug.getinfo(kept, 'S').short_src, debug.getinfo(stripped, 'S').short_src, debug.getinfo(stripped, 'l').currentline)
print(pcall(load(string.dump(load('local x; return x.y', '=s'), true))))
local reader = {binary:sub(1, 10), binary:sub(11)}
local i = 0
print(load(function() i = i + 1 return reader[i] end)(7, 8))
local main = load(string.dump(load('return x, ...')), 'c', 'b', {x = 'env'})
print(main(1))
-- expect: 2,4,6	1.5	text	nil	true
-- expect: 8,10	1.5	text	nil	true
-- expect: string	true	true	nil	attempt to load a binary chunk (mode is 't')
-- expect: false	dump_and_load.lua:9: attempt to perform arithmetic on a table value
-- expect: up	6	11
-- expect: 610
-- expect: false	unable to dump given function
-- expect: false	bad argument #1 to 'string.dump' (function expected, got number)
-- expect: false	here
-- expect: false	source:2: here
-- expect: source	?	-1
-- expect: false	?:-1: attempt to index a nil value
-- expect: 14,16	1.5	text	nil	true
-- expect: env	1
