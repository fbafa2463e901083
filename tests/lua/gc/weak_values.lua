-- Weak values: entries vanish with their values; strings and numbers stay (manual 2.5.4).
-- not under: gc-stress (needs a collection not to happen)
local t = setmetatable({}, {__mode = 'v'})
t.kept, t.lost = {}, {}
local keep = t.kept
t[1], t[2], t[3] = {}, 'string', 42
t.fn = function() end
collectgarbage()
print(t.kept == keep, t.lost, t[1], t[2], t[3], type(t.fn) == 'nil' or type(t.fn) == 'function')
-- expect: true	nil	nil	string	42	true
t.array = nil
for i = 1, 100 do t[i] = {} end
collectgarbage()
local n = 0
for i = 1, 100 do if t[i] then n = n + 1 end end
print(n)  -- expect: 0
local late = {}
setmetatable(late, {__mode = 'v'})
late.x = {}
getmetatable(late).__mode = nil
setmetatable(late, getmetatable(late))
collectgarbage()
print(type(late.x))  -- expect: table
