-- A round-robin scheduler: interleaving order and values.
local queue, log = {}, {}
local function spawn(name, n) queue[#queue + 1] = {name, coroutine.create(function() for i = 1, n do log[#log + 1] = name .. i coroutine.yield() end end)} end
spawn('a', 3) spawn('b', 1) spawn('c', 2)
while #queue > 0 do
  local job = table.remove(queue, 1)
  assert(coroutine.resume(job[2]))
  if coroutine.status(job[2]) ~= 'dead' then queue[#queue + 1] = job else log[#log + 1] = job[1] .. ' ended' end
end
print(table.concat(log, ' '))  -- expect: a1 b1 c1 a2 b ended c2 a3 c ended a ended
