-- __gc runs after collection, in reverse order of marking, once; may resurrect (manual 2.5.3).
-- not under: gc-stress (counts collections)
local log = {}
local function object(name) return setmetatable({name = name}, {__gc = function(o) log[#log + 1] = o.name end}) end
do local a, b, c = object 'a', object 'b', object 'c' end
collectgarbage()
print(table.concat(log, ' '))  -- expect: c b a
log = {}
local saved
do local x = setmetatable({}, {__gc = function(o) saved = o log[#log + 1] = 'resurrected' end}) end
collectgarbage()
print(type(saved), log[1])  -- expect: table	resurrected
saved = nil
collectgarbage() collectgarbage()
print(#log)  -- expect: 1
local late = setmetatable({}, {})
getmetatable(late).__gc = function() log[#log + 1] = 'unmarked' end
late = nil
collectgarbage()
print(#log)  -- expect: 1
do local again again = setmetatable({}, {__gc = function(o) log[#log + 1] = 'again' if #log < 4 then setmetatable(o, getmetatable(o)) end end}) end
collectgarbage() collectgarbage() collectgarbage() collectgarbage()
print(#log)  -- expect: 4
do local f = setmetatable({}, {__gc = true}) f = nil end
collectgarbage()
print 'a __gc that is no function is ignored'  -- expect: a __gc that is no function is ignored
local t = setmetatable({}, {__mode = 'k'})
do local k = object 'weak key' t[k] = 'value' end
log = {}
collectgarbage() collectgarbage()
print(log[1], next(t))  -- expect: weak key	nil
