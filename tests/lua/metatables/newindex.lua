-- __newindex as function, table, chain; only for absent keys; rawset avoids it.
local log = {}
local t = setmetatable({present = 1}, {__newindex = function(t, k, v) log[#log + 1] = tostring(k) .. '=' .. tostring(v) end})
t.a = 1 t[1] = 2 t.present = 3 t[1.5] = 4 t[true] = nil
print(table.concat(log, ' '), t.a, t.present)  -- expect: a=1 1=2 1.5=4 true=nil	nil	3
rawset(t, 'a', 'raw')
t.a = 'direct'
print(t.a, #log)  -- expect: direct	4
t.a = nil
t.a = 'again'
print(t.a, log[#log])  -- expect: nil	a=again
local store = {}
local proxy = setmetatable({}, {__newindex = store, __index = store})
proxy.x = 1 proxy.x = 2
print(rawget(proxy, 'x'), store.x, proxy.x)  -- expect: nil	2	2
local chain = setmetatable({}, {__newindex = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end})})
chain.n = 21
print(rawget(chain, 'n'), rawget(getmetatable(chain).__newindex, 'n'))  -- expect: nil	42
print(pcall(function() setmetatable({}, {__newindex = 5}).x = 1 end))
-- expect: false	newindex.lua:19: attempt to index a number value
print(pcall(function() local o = setmetatable({}, {__newindex = false}) o.x = 1 return rawget(o, 'x') end))
-- expect: false	newindex.lua:21: attempt to index a boolean value
print(pcall(function() setmetatable({}, {__newindex = function() end})[nil] = 1 return 'no error' end))
-- expect: true	no error
