-- group: coroutines
-- Tasks that take turns, talk through mailboxes and sleep: a round-robin scheduler of coroutines.
local scale = tonumber((...)) or 1

local Scheduler = {}
Scheduler.__index = Scheduler

function Scheduler.new() return setmetatable({ ready = {}, first = 1, last = 0, switches = 0 }, Scheduler) end

function Scheduler:spawn(body, ...)
  self.last = self.last + 1
  self.ready[self.last] = { thread = coroutine.create(body), arguments = { ... } }
end

function Scheduler:run()
  while self.first <= self.last do
    local task = self.ready[self.first]
    self.ready[self.first] = nil
    self.first = self.first + 1
    local ok, message = coroutine.resume(task.thread, task.arguments[1], task.arguments[2], task.arguments[3])
    if not ok then error(message) end
    self.switches = self.switches + 1
    if coroutine.status(task.thread) ~= "dead" then
      self.last = self.last + 1
      self.ready[self.last] = task
    end
  end
  return self.switches
end

local function producer(box, count)
  for i = 1, count do
    while #box >= 4 do coroutine.yield() end
    box[#box + 1] = i
  end
  box.closed = true
end

local function relay(from, to)
  while true do
    local item = table.remove(from, 1)
    if item then
      to[#to + 1] = item * 2
    elseif from.closed then
      to.closed = true
      return
    else
      coroutine.yield()
    end
  end
end

local function consumer(box, result)
  while not (box.closed and #box == 0) do
    local item = table.remove(box)
    if item then
      result.sum = result.sum + item
    else
      coroutine.yield()
    end
  end
end

local function work()
  local scheduler, result = Scheduler.new(), { sum = 0 }
  for _ = 1, 5 do
    local a, b = {}, {}
    scheduler:spawn(producer, a, 200)
    scheduler:spawn(relay, a, b)
    scheduler:spawn(consumer, b, result)
  end
  return scheduler:run() * 1000000 + result.sum
end

for _ = 1, math.max(1, math.floor(1600 * scale)) do
  assert(work() == 750201000)
end
