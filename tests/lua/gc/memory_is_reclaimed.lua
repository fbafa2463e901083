-- Garbage is collected: memory returns near its level after bursts of allocation.
-- not under: gc-stress (allocates much)
collectgarbage()
local before = collectgarbage('count')
for round = 1, 5 do
  local t = {}
  for i = 1, 20000 do t[i] = {i, tostring(i)} end
  t = nil
end
collectgarbage()
print(collectgarbage('count') < before + 500)  -- expect: true
for i = 1, 200000 do local s = 'string ' .. i end
for i = 1, 100000 do local f = function() return i end end
for i = 1, 1000 do local s = ('x'):rep(10000) .. i end
collectgarbage()
print(collectgarbage('count') < before + 500)  -- expect: true
local peak = 0
for i = 1, 300000 do local t = {i} if i % 1000 == 0 then peak = math.max(peak, collectgarbage('count')) end end
print(peak < before + 20000)  -- expect: true
