-- os.exit(code, true) closes the state: to-be-closed variables of the main chunk and finalizers run.
local x <close> = setmetatable({}, {__close = function() print 'variable closed' end})
keep = setmetatable({}, {__gc = function() print 'finalizer at exit' end})
io.write('buffered output ')
local co = coroutine.wrap(function() os.exit(3, true) end)
co()
-- expect exit: 3
-- expect: buffered output variable closed
-- expect: finalizer at exit
