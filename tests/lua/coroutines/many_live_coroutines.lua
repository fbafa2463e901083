-- Thousands of suspended coroutines keep their state; dropped ones are collected.
-- not under: gc-stress (thousands of stacks to scan at each step)
local list = {}
for i = 1, 5000 do
  list[i] = coroutine.wrap(function() local sum = i while true do sum = sum + coroutine.yield(sum) end end)
  list[i]()
end
local total = 0
for round = 1, 3 do for i = 1, #list do total = total + list[i](round) end end
print(total)  -- expect: 37557500
list = nil
collectgarbage()
local done = 0
for i = 1, 5000 do coroutine.wrap(function() done = done + 1 coroutine.yield() end)() end
print(done)  -- expect: 5000
collectgarbage()
