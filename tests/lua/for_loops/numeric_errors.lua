-- Initial value, limit and step must be numbers; a numeric string passes as one (a float loop).
print(pcall(function() for i = 'a', 2 do end end))
-- expect: false	numeric_errors.lua:2: bad 'for' initial value (number expected, got string)
print(pcall(function() for i = 1, {} do end end))
-- expect: false	numeric_errors.lua:4: bad 'for' limit (number expected, got table)
print(pcall(function() for i = 1, 2, nil do end end))
-- expect: false	numeric_errors.lua:6: bad 'for' step (number expected, got nil)
print(pcall(function() for i = '1', 2 do end end))  -- expect: true
print(pcall(function() for i = 1, '2' do end end))  -- expect: true
print(pcall(function() for i = 1, 2, '1' do end end))  -- expect: true
print(pcall(function() for i = nil, 2 do end end))
-- expect: false	numeric_errors.lua:11: bad 'for' initial value (number expected, got nil)
print(pcall(function() for i = 1.5, true do end end))
-- expect: false	numeric_errors.lua:13: bad 'for' limit (number expected, got boolean)
print(pcall(function() for i = 1.5, 2, print do end end))
-- expect: false	numeric_errors.lua:15: bad 'for' step (number expected, got function)
print(pcall(function() for i = 1, 2, 0 do end end))
-- expect: false	numeric_errors.lua:17: 'for' step is zero
print(pcall(function() for i = {}, 'x', nil do end end))
-- expect: false	numeric_errors.lua:19: bad 'for' limit (number expected, got string)
print(pcall(function() for i = 1, nil, 'x' do end end))
-- expect: false	numeric_errors.lua:21: bad 'for' limit (number expected, got nil)
