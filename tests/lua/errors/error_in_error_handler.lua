-- A handler that always fails ends with a C stack overflow status, not a crash.
local ok, message = xpcall(error, function(m) error(m) end, 'x')
print(ok, type(message))  -- expect: false	string
local ok2, message2 = xpcall(error, function(m) local x = nil; return x.y end, 'x')
print(ok2, type(message2))  -- expect: false	string
print(pcall(xpcall, error, error, 'e'))  -- expect: true	false	error in error handling
print(xpcall(error, error, 'e'))  -- expect: false	error in error handling
