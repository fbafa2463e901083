-- An error that leaves a coroutine through wrap gets the position of the error and the stack of the main thread.
local co = coroutine.wrap(function() local t = nil; t.x = 1 end)
local function run() co() end
run()
-- expect error: uncaught_in_coroutine_wrap.lua:3: uncaught_in_coroutine_wrap.lua:2: attempt to index a nil value (local 't')
-- expect error: stack traceback:
-- expect error: 	[C]: in upvalue 'co'
-- expect error: 	uncaught_in_coroutine_wrap.lua:3: in local 'run'
-- expect error: 	uncaught_in_coroutine_wrap.lua:4: in main chunk
-- expect error: 	[C]: in ?
