-- An error in a finalizer is a warning; the program goes on.
warn('@on')
setmetatable({}, {__gc = function() error('in finalizer') end})
collectgarbage()
print 'still running'  -- expect: still running
setmetatable({}, {__gc = function() error({}) end})
collectgarbage()
warn('@off')
setmetatable({}, {__gc = function() error('silent') end})
collectgarbage()
print 'end'  -- expect: end
-- expect exit: 0
-- expect error: Lua warning: error in __gc (finalizer_errors_are_warnings.lua:3: in finalizer)
-- expect error: Lua warning: error in __gc (error object is not a string)
