-- __index as table, function, chain, and over raw values (manual 2.4).
local base = {x = 'base x', y = 'base y'}
local middle = setmetatable({y = 'middle y'}, {__index = base})
local top = setmetatable({}, {__index = middle})
print(top.x, top.y, top.z, rawget(top, 'x'))  -- expect: base x	middle y	nil	nil
top.x = 'own'
print(top.x, base.x)  -- expect: own	base x
local f = setmetatable({}, {__index = function(t, k) return k .. '?' , 'lost' end})
print(f.a, f[1], f.b)  -- expect: a?	1?	b?
base.z = 'added later'
print(top.z)  -- expect: added later
middle.z = 'hides'
print(top.z)  -- expect: hides
middle.z = nil
print(top.z)  -- expect: added later
setmetatable(middle, nil)
print(top.z, top.y)  -- expect: nil	middle y
local deep = {value = 'deep'}
for _ = 1, 90 do deep = setmetatable({}, {__index = deep}) end
print(deep.value, deep.missing)  -- expect: deep	nil
print(setmetatable({}, {__index = 'string'}).len == string.len)  -- expect: true
print(pcall(function() return setmetatable({}, {__index = 5}).x end))
-- expect: false	index_chains.lua:22: attempt to index a number value
print(pcall(function() local o = setmetatable({}, {__index = true}) return o.field end))
-- expect: false	index_chains.lua:24: attempt to index a boolean value
