-- A value without __close is an error, unless nil or false.
print(pcall(function() local x <close> = {} end))
-- expect: false	close_needs_a_closable_value.lua:2: variable 'x' got a non-closable value
print(pcall(function() local named <close> = 42 end))
-- expect: false	close_needs_a_closable_value.lua:4: variable 'named' got a non-closable value
print(pcall(function() local x <close> = setmetatable({}, {}) end))
-- expect: false	close_needs_a_closable_value.lua:6: variable 'x' got a non-closable value
print(pcall(function() local y <close> = 'string' end))
-- expect: false	close_needs_a_closable_value.lua:8: variable 'y' got a non-closable value
print(pcall(function() local x <close> = nil return 'fine' end))  -- expect: true	fine
print(pcall(function() local mt = {__close = print} local x <close> = setmetatable({}, mt) mt.__close = nil end))
-- expect: false	close_needs_a_closable_value.lua:11: attempt to call a nil value (metamethod 'close')
print(pcall(function() local mt = {__close = print} local x <close> = setmetatable({}, mt) mt.__close = 5 end))
-- expect: false	close_needs_a_closable_value.lua:13: attempt to call a number value (metamethod 'close')
print((select(2, load('local a <close>, b <close> = 1', '=s'))))
-- expect: s:1: multiple to-be-closed variables in local list
