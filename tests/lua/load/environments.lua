-- _ENV as upvalue, local and parameter (manual 2.2).
x = 'global'
local function sandbox(_ENV) x = 'inside' return x end
local t = {}
print(sandbox(t), t.x, x)  -- expect: inside	inside	global
do local _ENV = {print = print, x = 'local env'} print(x) x = 'changed' print(_ENV.x) end
-- expect: local env
-- expect: changed
print(x, _ENV == _G, _G._G == _G)  -- expect: global	true	true
local f = load('x = x .. "!" return x')
print(f(), x)  -- expect: global!	global!
local function make(_ENV) return function() n = (n or 0) + 1 return n end end
local a, b = make{}, make{n = 10}
print(a(), a(), b(), n)  -- expect: 1	2	11	nil
print((debug.getupvalue(f, 1)))  -- expect: _ENV
debug.setupvalue(f, 1, {x = 'swapped'})
print(f(), x)  -- expect: swapped!	global!
local _ENV <const> = _ENV
print(x)  -- expect: global!
setmetatable(_G, {__index = function(_, k) return 'default ' .. k end, __newindex = function(t, k, v) rawset(t, k, v .. ' set') end})
print(undefined_name)  -- expect: default undefined_name
new_name = 'value'
print(new_name)  -- expect: value set
setmetatable(_G, nil)
