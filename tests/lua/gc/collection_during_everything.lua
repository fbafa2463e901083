-- A tiny pause makes collections happen in the middle of all kinds of operations.
-- not under: gc-stress (allocates much)
collectgarbage('setpause', 0)
collectgarbage('incremental', 10, 1000)
local results = {}
for i = 1, 200 do
  local parts = {}
  for j = 1, 20 do parts[j] = ('%d:%s'):format(j, tostring(j * 1.5)) end
  local joined = table.concat(parts, ',')
  local co = coroutine.wrap(function(x) local t = {x} coroutine.yield(t) return x .. 'end' end)
  local first = co(joined)
  local object = setmetatable({}, {__index = function(_, k) return k .. i end, __concat = function(a, b) return 'cat' .. i end})
  results[#results + 1] = #first[1] .. (object .. 'x') .. object.key .. #co()
  local _, e = pcall(function() error({joined}) end)
  results[#results] = results[#results] .. #e[1]
  local closure = (function(...) local a = {...} return function() return #a[1] end end)(joined)
  results[#results] = results[#results] .. closure() .. select(2, joined:gsub('%d+', function(d) return ({d})[1] end) and joined:gsub('%d+', '%0'))
end
print(results[1], results[100], results[200])
collectgarbage('generational')
local list
for i = 1, 20000 do list = {next = list, value = tostring(i)} if i % 1000 == 0 then list = nil end end
print(list)
collectgarbage('incremental')
-- expect error: collection_during_everything.lua:17: attempt to concatenate a nil value
