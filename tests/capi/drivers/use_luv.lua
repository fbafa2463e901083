-- package: lua-luv
local uv = require "luv"
local log = {}
local timer = uv.new_timer()
local ticks = 0
timer:start(1, 1, function()
  ticks = ticks + 1
  if ticks == 5 then timer:stop(); timer:close(function() log[#log + 1] = "closed" end) end
end)
uv.run()
print(ticks, table.concat(log))
-- coroutines over callbacks
local function sleep(ms)
  local co, t = coroutine.running(), uv.new_timer()
  t:start(ms, 0, function() t:close(); assert(coroutine.resume(co, ms)) end)
  return coroutine.yield()
end
local order = {}
for _, ms in ipairs { 30, 10, 20 } do coroutine.wrap(function() order[#order + 1] = sleep(ms) end)() end
uv.run()
print(table.concat(order, " "))
-- files
local name = os.tmpname()
local fd = assert(uv.fs_open(name, "w", 420))
print(uv.fs_write(fd, "contents", 0), uv.fs_close(fd), uv.fs_stat(name).size)
uv.fs_stat(name, function(err, stat) print("async", err, stat.size) end)
uv.run()
print(uv.fs_open("/nonexistent", "r", 0))
os.remove(name)
-- TCP on loopback
local server = uv.new_tcp()
server:bind("127.0.0.1", 0)
server:listen(5, function(err)
  local peer = uv.new_tcp()
  server:accept(peer)
  peer:read_start(function(_, data)
    if data then peer:write(data:upper()) else peer:close(); server:close() end
  end)
end)
local client = uv.new_tcp()
client:connect("127.0.0.1", server:getsockname().port, function()
  client:write "ping"
  client:read_start(function(_, data) print("got", data); client:close() end)
end)
uv.run()
-- errors in callbacks and arguments
print(pcall(uv.new_timer().start, 1))
print(pcall(timer.start, timer, "x"))
-- work in another thread
local work = uv.new_work(function(n) local s = 0 for i = 1, n do s = s + i end return s end, function(s) print("worked", s) end)
work:queue(1000)
uv.run()
-- a process
local out = uv.new_pipe(false)
local text = ""
uv.spawn("echo", { args = { "from", "child" }, stdio = { nil, out } }, function(code, signal) print("exit", code, signal) end)
out:read_start(function(_, data) if data then text = text .. data else out:close() end end)
uv.run()
io.write(text)
print(uv.loop_close and type(uv.hrtime()), uv.version() > 0)
