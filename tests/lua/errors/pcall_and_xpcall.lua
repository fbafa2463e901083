-- Results, handlers, nesting, handler errors.
print(pcall(function(...) return select('#', ...), ... end, 1, nil))  -- expect: true	2	1	nil
print(xpcall(function(...) return ... end, print, 'a', nil, 'c'))  -- expect: true	a	nil	c
print(xpcall(function() error('x', 0) end, function(m) return m .. '!', 'lost' end))  -- expect: false	x!
print(xpcall(function() error() end, function(m) return type(m) end))  -- expect: false	nil
print(pcall(pcall, error, 'e'))  -- expect: true	false	e
print(pcall(xpcall))  -- expect: false	bad argument #2 to 'xpcall' (function expected, got no value)
print(pcall(xpcall, print))  -- expect: false	bad argument #2 to 'xpcall' (function expected, got no value)
print(pcall(pcall))  -- expect: false	bad argument #1 to 'pcall' (value expected)
print(xpcall(error, function(m) error('again', 0) end, 'first'))  -- expect: false	error in error handling
print(select('#', xpcall(error, function() end)))  -- expect: 2
local depth = 0
print(xpcall(function() error('deep', 0) end, function(m) depth = depth + 1 if depth < 3 then error('more' .. depth, 0) end return 'handled at ' .. depth end))
-- expect: false	handled at 3
print(xpcall(function() local x = nil; return x.y end, function(m) return 'H:' .. m end))
-- expect: false	H:pcall_and_xpcall.lua:15: attempt to index a nil value (local 'x')
print(pcall(function() pcall(error, 'inner') error('outer', 0) end))  -- expect: false	outer
print(pcall(xpcall, print, nil, 'a handler is needed'))
-- expect: false	bad argument #2 to 'xpcall' (function expected, got nil)
print(pcall(string.rep, 'x', -1), pcall(string.rep))
-- expect: true	false	bad argument #1 to 'string.rep' (string expected, got no value)
print(select(2, xpcall(function() error(setmetatable({}, {__tostring = function() return 'T' end})) end, tostring)))
-- expect: T
