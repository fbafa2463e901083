-- A captured variable keeps its value after its function returned, failed or yielded.
local function make(x) return {get = function() return x end, set = function(v) x = v end} end
local objects = {}
for i = 1, 100 do objects[i] = make(i) end
collectgarbage()
objects[50].set('changed')
print(objects[1].get(), objects[50].get(), objects[100].get())  -- expect: 1	changed	100
local kept
pcall(function() local x = 'before' kept = function() return x end x = 'after' error('stop') end)
print(kept())  -- expect: after
local co = coroutine.wrap(function() local x = 1 kept = function() x = x + 1 return x end coroutine.yield(x) return x end)
print(co(), kept(), kept(), co(), kept())  -- expect: 1	2	3	3	4
