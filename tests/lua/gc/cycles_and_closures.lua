-- Cycles through tables, metatables, closures and coroutines are collected.
local collected = 0
local function watched(t) return setmetatable(t, {__gc = function() collected = collected + 1 end}) end
do local a, b = watched{}, watched{} a.b, b.a = b, a end
do local t = watched{} t.self = t t.f = function() return t end end
do local t = watched{} local co = coroutine.create(function() local inner = t coroutine.yield() end) coroutine.resume(co) t.co = co end
do local mt = {} mt.__index = mt mt.__gc = function() collected = collected + 1 end setmetatable(mt, mt) end
collectgarbage() collectgarbage()
print(collected)  -- expect: 5
