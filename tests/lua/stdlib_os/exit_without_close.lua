-- os.exit(false) leaves with 1 and does not close the state.
-- expect: flushed at exit
local x <close> = setmetatable({}, {__close = function() print 'never' end})
keep = setmetatable({}, {__gc = function() print 'never' end})
io.write('flushed at exit\n')
os.exit(false)
-- expect exit: 1
