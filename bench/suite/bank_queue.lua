-- group: objects
-- A discrete-event simulation of a bank: customers arrive, wait, are served and leave. Events sit in a binary
-- heap.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local floor = math.floor

local Heap = {}
Heap.__index = Heap
function Heap.new() return setmetatable({ count = 0 }, Heap) end
function Heap:push(item)
  local i = self.count + 1
  self.count = i
  while i > 1 do
    local parent = floor(i / 2)
    if self[parent].time <= item.time then break end
    self[i] = self[parent]
    i = parent
  end
  self[i] = item
end
function Heap:pop()
  local top, last, count = self[1], self[self.count], self.count - 1
  self[self.count] = nil
  self.count = count
  if count > 0 then
    local i = 1
    while true do
      local child = 2 * i
      if child > count then break end
      if child < count and self[child + 1].time < self[child].time then child = child + 1 end
      if last.time <= self[child].time then break end
      self[i] = self[child]
      i = child
    end
    self[i] = last
  end
  return top
end

local Bank = {}
Bank.__index = Bank
function Bank.new(tellers)
  return setmetatable({ now = 0, free = tellers, events = Heap.new(), first = 1, last = 0, waiting = {},
                        served = 0, waited = 0, seed = 12345 }, Bank)
end
function Bank:random(limit)
  self.seed = self.seed * 16807 % 2147483647
  return self.seed % limit + 1
end
function Bank:at(delay, handler, customer)
  self.events:push({ time = self.now + delay, handler = handler, customer = customer })
end
function Bank:arrive(customer)
  self.last = self.last + 1
  self.waiting[self.last] = customer
  customer.arrived = self.now
  if customer.number < self.customers then
    self:at(self:random(10), Bank.arrive, { number = customer.number + 1 })
  end
  self:serve_next()
end
function Bank:serve_next()
  if self.free == 0 or self.first > self.last then return end
  local customer = self.waiting[self.first]
  self.waiting[self.first] = nil
  self.first = self.first + 1
  self.free = self.free - 1
  self.waited = self.waited + (self.now - customer.arrived)
  self:at(8 + self:random(15), Bank.leave, customer)
end
function Bank:leave()
  self.free = self.free + 1
  self.served = self.served + 1
  self:serve_next()
end
function Bank:run(customers)
  self.customers = customers
  self:at(0, Bank.arrive, { number = 1 })
  while self.events.count > 0 do
    local event = self.events:pop()
    self.now = event.time
    event.handler(self, event.customer)
  end
  return self.served * 1000000 + self.waited % 1000000
end

for _ = 1, math.max(1, math.floor(110 * scale)) do
  local bank = Bank.new(train and 2 or 3)
  assert(bank:run(train and 50 or 5000) == (train and 50002775 or 5000104593))
end
