-- An uncaught error: message and traceback on stderr, exit code 1.
local function inner(t) return t.missing.field end
local object = {}
function object:method() local x = inner(self) return x end
function entry() object:method() return 1 end
print 'before'  -- expect: before
entry()
-- expect error: uncaught_error_with_traceback.lua:2: attempt to index a nil value (field 'missing')
-- expect error: stack traceback:
-- expect error: 	uncaught_error_with_traceback.lua:2: in upvalue 'inner'
-- expect error: 	uncaught_error_with_traceback.lua:4: in method 'method'
-- expect error: 	uncaught_error_with_traceback.lua:5: in function 'entry'
-- expect error: 	uncaught_error_with_traceback.lua:7: in main chunk
-- expect error: 	[C]: in ?
