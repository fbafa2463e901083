-- Library functions that call back cannot be yielded across, except those that say so.
local function try(f, ...) return coroutine.resume(coroutine.create(f), ...) end
print(try(function() table.sort({3, 2, 1}, function(a, b) coroutine.yield() end) end))
-- expect: false	attempt to yield across a C-call boundary
print(try(function() return ('x'):gsub('.', function() coroutine.yield() end) end))
-- expect: false	attempt to yield across a C-call boundary
print(try(function() return load(function() coroutine.yield() end) end))
-- expect: true	nil	attempt to yield across a C-call boundary
print(try(function() return tostring(setmetatable({}, {__tostring = function() coroutine.yield('in tostring') end})) end))
-- expect: false	attempt to yield across a C-call boundary
print(try(function() return string.format('%s', setmetatable({}, {__tostring = function() coroutine.yield() end})) end))
-- expect: false	attempt to yield across a C-call boundary
print(try(function() return require 'none_such' end) == false)  -- expect: true
print(try(function() return pcall(coroutine.yield, 'fine') end))  -- expect: true	fine
print(try(function() return select(2, xpcall(error, function() coroutine.yield() end)) end))
-- expect: true	error in error handling
print(try(function() return table.concat(setmetatable({}, {__len = function() coroutine.yield() end})) end))
-- expect: false	attempt to yield across a C-call boundary
print(try(function() return table.unpack(setmetatable({}, {__index = function() coroutine.yield() end}), 1, 2) end))
-- expect: false	attempt to yield across a C-call boundary
print(pcall(coroutine.yield, 'outside'))  -- expect: false	attempt to yield from outside a coroutine
