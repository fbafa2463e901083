-- load of strings and functions, chunk names, modes and environments (manual 6.1).
print(load('return 1 + 1')())  -- expect: 2
print(load('syntax error here'))  -- expect: nil	[string "syntax error here"]:1: syntax error near 'error'
local pieces = {'return ', '1', ' + ', '2'}
local i = 0
print(load(function() i = i + 1 return pieces[i] end)())  -- expect: 3
print(load(function() return nil end)())  -- expect:
print(load('x = 1', 'name', 't', {}) ~= nil)  -- expect: true
local env = {print = print}
load('x = 5 y = x * 2', 'chunk', 't', env)()
print(env.x, env.y, x, y)  -- expect: 5	10	nil	nil
print(load('return x', 'chunk', 't', {x = 'from env'})())  -- expect: from env
print(load('return ...', 'chunk', 't')(1, 2))  -- expect: 1	2
print(load('return 1', 'chunk', 'b'))  -- expect: nil	attempt to load a text chunk (mode is 'b')
print(load(string.dump(function() end), 'chunk', 't'))
-- expect: nil	attempt to load a binary chunk (mode is 't')
print(pcall(load, 'x', 'y', 'z'))  -- expect: true	nil	attempt to load a text chunk (mode is 'z')
print(load('', 'empty')())  -- expect:
print(pcall(load, function() error('reader fails', 0) end))  -- expect: true	nil	reader fails
print(pcall(load, function() return {} end))  -- expect: true	nil	reader function must return a string
local parts = {'return ', '', 'ignored after empty'}
i = 0
print(pcall(load(function() i = i + 1 return parts[i] end)))  -- expect: true
print(load('local a <const> = 5; return function() return a end')()())  -- expect: 5
print(load('return _ENV', 'c', 't', 42)(), pcall(load('return x', 'c', 't', 42)))
-- expect: 42	false	[string "c"]:1: attempt to index a number value (upvalue '_ENV')
print(load('return x', 'c', 't', nil) and pcall(load('return x', 'c', 't', nil)))  -- expect: false
