-- traceback passes non-strings through; long stacks are abridged ("skipping n levels").
print(debug.traceback(nil), type(debug.traceback({})), debug.traceback(12), debug.traceback(true))
-- expect: stack traceback:
-- expect: 	traceback_values_and_depth.lua:2: in main chunk
-- expect: 	[C]: in ?	table	12
-- expect: stack traceback:
-- expect: 	traceback_values_and_depth.lua:2: in main chunk
-- expect: 	[C]: in ?	true
print(debug.traceback(print) == print, debug.traceback(nil, 1) ~= nil)  -- expect: true	true
local function deep(n) if n == 0 then return (debug.traceback('deep')) end return (deep(n - 1)) end
print(deep(30))
-- expect: deep
-- expect: stack traceback:
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	...	(skipping 11 levels)
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in upvalue 'deep'
-- expect: 	traceback_values_and_depth.lua:10: in local 'deep'
-- expect: 	traceback_values_and_depth.lua:11: in main chunk
-- expect: 	[C]: in ?
print(deep(18) == deep(18), select(2, deep(100):gsub('\n', '\n')), select(2, deep(19):gsub('\n', '\n')), select(2, deep(20):gsub('\n', '\n')))
-- expect: true	23	23	23
print(pcall(debug.traceback, 'x', 'y'))
-- expect: false	bad argument #2 to 'debug.traceback' (number expected, got string)
print(select(2, xpcall(deep, debug.traceback, 'not a number')))
-- expect: traceback_values_and_depth.lua:10: attempt to sub a 'string' with a 'number'
-- expect: stack traceback:
-- expect: 	[C]: in metamethod 'sub'
-- expect: 	traceback_values_and_depth.lua:10: in function <traceback_values_and_depth.lua:10>
-- expect: 	[C]: in function 'xpcall'
-- expect: 	traceback_values_and_depth.lua:40: in main chunk
-- expect: 	[C]: in ?
print(xpcall(function() error({}) end, function(m) return type(debug.traceback(m)) end))
-- expect: false	table
