-- A handler that always fails ends with a C stack overflow status, not a crash.
local ok, message = xpcall(error, function(m) error(m) end, 'x')
print(ok, type(message))  -- expect: false	string
local ok2, message2 = xpcall(error, function(m) local x = nil; return x.y end, 'x')
print(ok2, type(message2))  -- expect: false	string
print(pcall(xpcall, error, error, 'e'))  -- expect: true	false	error in error handling
print(xpcall(error, error, 'e'))  -- expect: false	error in error handling
-- A handler that fails is called again with its own error, until the native stack's limit, which it is told of, and a tenth more.
local calls, told = 0, nil
print(xpcall(error, function(m)
  calls = calls + 1
  if m == 'C stack overflow' then told = told or calls end
  error(m, 0)
end, 'x'))                     -- expect: false	error in error handling
print(told, calls)             -- expect: 197	215
calls = 0
print(xpcall(error, function(m)
  calls = calls + 1
  if calls < 150 then error(m) end
  return 'gave in'
end, 'x'))                     -- expect: false	gave in
