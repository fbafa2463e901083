-- Paths that are suspended, resumed, abandoned, closed, and killed by errors.
local function generate(n)
  for i = 1, n do
    if i % 3 == 0 then coroutine.yield(i, 'fizz') else coroutine.yield(i) end
  end
  return 'end'
end
local total = 0
for i in coroutine.wrap(generate), 20 do break end
for value in coroutine.wrap(function() generate(10) end) do total = total + value end

for round = 1, 50 do
  local abandoned = coroutine.create(generate)
  coroutine.resume(abandoned, 100)
  coroutine.resume(abandoned)
  if round % 10 == 0 then collectgarbage() end
end
local closed = coroutine.create(function() local x <close> = setmetatable({}, { __close = print }) generate(5) end)
coroutine.resume(closed)
coroutine.close(closed)
local failing = coroutine.create(function() generate(1) local x = nil; return x.field end)
while coroutine.resume(failing) do end

-- Suspended inside native code: a sort whose comparison yields, a pcall, a metamethod.
local sorter = coroutine.wrap(function()
  return pcall(function()
    local object = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end })
    if object.a then return object.b end
    return 'none'
  end)
end)
sorter()
sorter(true)
sorter('b')
local left_inside = coroutine.wrap(function() return pcall(function() coroutine.yield() return 1 end) end)
left_inside()
local tail = coroutine.create(function() return coroutine.yield(1) end)
coroutine.resume(tail)   -- left in a tail call of yield
kept = coroutine.create(function() while true do coroutine.yield() end end)
coroutine.resume(kept)
coroutine.resume(kept)
print(total)
