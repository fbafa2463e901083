-- package: lua-cqueues
local cqueues = require "cqueues"
local condition, socket = require "cqueues.condition", require "cqueues.socket"
local loop, log = cqueues.new(), {}
for i = 3, 1, -1 do
  loop:wrap(function() cqueues.sleep(i * 0.02); log[#log + 1] = i end)
end
print(loop:loop(), table.concat(log, " "))
local c, got = condition.new(), {}
loop:wrap(function() got[1] = c:wait(1); got[2] = "woken" end)
loop:wrap(function() cqueues.sleep(0.01); c:signal() end)
print(loop:loop(), got[1], got[2])
local a, b = socket.pair()
loop:wrap(function() for line in a:lines() do log[#log + 1] = line end end)
loop:wrap(function() b:write("one\n", "two\n"); b:flush(); cqueues.poll(0.01); b:write "three\n"; b:shutdown "w" end)
print(loop:loop(), table.concat(log, " "))
loop:wrap(function() error("in a coroutine", 0) end)
local ok, why = loop:step()
print(ok, why)
loop:wrap(function() print(pcall(function() cqueues.sleep(0.01); error("after sleeping", 0) end)) end)
print(loop:loop())
loop:wrap(function() local inner = cqueues.new(); inner:wrap(function() cqueues.sleep(0.01); print "inner" end); print(inner:loop()) end)
print(loop:loop())
print(cqueues.running(), loop:empty(), loop:count())
