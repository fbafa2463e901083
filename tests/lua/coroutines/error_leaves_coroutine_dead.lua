-- A failed coroutine is dead; its stack is still there for traceback; closing values of wrap are run.
local function level3() error('oops') end
local function level2() level3() end
local co = coroutine.create(function() level2() end)
print(coroutine.resume(co))  -- expect: false	error_leaves_coroutine_dead.lua:2: oops
print(coroutine.status(co))  -- expect: dead
print(debug.traceback(co))
-- expect: stack traceback:
-- expect: 	[C]: in function 'error'
-- expect: 	error_leaves_coroutine_dead.lua:2: in upvalue 'level3'
-- expect: 	error_leaves_coroutine_dead.lua:3: in upvalue 'level2'
-- expect: 	error_leaves_coroutine_dead.lua:4: in function <error_leaves_coroutine_dead.lua:4>
print(debug.traceback(co, 'message'))
-- expect: message
-- expect: stack traceback:
-- expect: 	[C]: in function 'error'
-- expect: 	error_leaves_coroutine_dead.lua:2: in upvalue 'level3'
-- expect: 	error_leaves_coroutine_dead.lua:3: in upvalue 'level2'
-- expect: 	error_leaves_coroutine_dead.lua:4: in function <error_leaves_coroutine_dead.lua:4>
print(coroutine.resume(co))  -- expect: false	cannot resume dead coroutine
local yielded = coroutine.create(function() local function inner() coroutine.yield() end inner() end)
coroutine.resume(yielded)
print(debug.traceback(yielded))
-- expect: stack traceback:
-- expect: 	[C]: in function 'coroutine.yield'
-- expect: 	error_leaves_coroutine_dead.lua:21: in local 'inner'
-- expect: 	error_leaves_coroutine_dead.lua:21: in function <error_leaves_coroutine_dead.lua:21>
print(debug.traceback(yielded, nil, 1))
-- expect: stack traceback:
-- expect: 	error_leaves_coroutine_dead.lua:21: in local 'inner'
-- expect: 	error_leaves_coroutine_dead.lua:21: in function <error_leaves_coroutine_dead.lua:21>
print(debug.traceback(coroutine.create(function() end)))  -- expect: stack traceback:
