-- group: allocation
-- A cache that forgets the least recently used entry: a hash table over a doubly linked list that never stops
-- changing.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local Cache = {}
Cache.__index = Cache

function Cache.new(capacity)
  local ring = {}
  ring.newer, ring.older = ring, ring
  return setmetatable({ capacity = capacity, size = 0, entries = {}, ring = ring }, Cache)
end

local function unlink(entry)
  entry.newer.older, entry.older.newer = entry.older, entry.newer
end

function Cache:make_newest(entry)
  local ring = self.ring
  entry.newer, entry.older = ring, ring.older
  ring.older.newer = entry
  ring.older = entry
end

function Cache:get(key)
  local entry = self.entries[key]
  if not entry then return nil end
  unlink(entry)
  self:make_newest(entry)
  return entry.value
end

function Cache:put(key, value)
  if self.size == self.capacity then
    local oldest = self.ring.newer
    unlink(oldest)
    self.entries[oldest.key] = nil
    self.size = self.size - 1
  end
  local entry = { key = key, value = value, newer = false, older = false }
  self.entries[key] = entry
  self:make_newest(entry)
  self.size = self.size + 1
end

local function work(requests)
  local cache, hits, sum, seed = Cache.new(200), 0, 0, 17
  for _ = 1, requests do
    seed = seed * 16807 % 2147483647
    local number = seed % 1000 * (seed % 7) % 600
    local key = number % 2 == 0 and number or "page" .. number
    local value = cache:get(key)
    if value then
      hits = hits + 1
    else
      value = { size = number + 1 }
      cache:put(key, value)
    end
    sum = (sum + value.size) % 1000003
  end
  return hits * 1000003 + sum
end

for _ = 1, math.max(1, math.floor(16 * scale)) do
  assert(work(train and 150 or 60000) == (train and 43034169 or 34651871642))
end
