-- Objects with finalizers alive at the end are finalized when the state closes, in reverse order.
a = setmetatable({}, {__gc = function() print 'first created, last finalized' end})
b = setmetatable({}, {__gc = function() print 'second' end})
c = setmetatable({}, {__gc = function() print('third sees globals', type(a), type(b), type(print)) end})
local main <close> = setmetatable({}, {__close = function() print 'main chunk variable closed' end})
print 'end of the script'
-- expect: end of the script
-- expect: main chunk variable closed
-- expect: third sees globals	table	table	function
-- expect: second
-- expect: first created, last finalized
