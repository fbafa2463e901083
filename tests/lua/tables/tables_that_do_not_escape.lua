-- Small tables in hot loops that nobody keeps: compiled code need not make them, but whoever looks finds them.
local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector:dot(other) return self.x * other.x + self.y * other.y end
function Vector:scaled(n) return vector(self.x * n, self.y * n) end

-- One is carried around the loop, and is there when it ends, by its end or by break.
local function walk(steps, stop)
  local at, sum = vector(0.0, 0.0), 0.0
  for i = 1, steps do
    local step = vector(i * 0.5, i * 0.25)
    at = at + step:scaled(2)
    sum = sum + step:dot(step)
    if i == stop then break end
  end
  return at, sum
end
for _ = 1, 20 do walk(300, 1000) end
local at, sum = walk(1000, 777)
print(at.x, at.y, sum, getmetatable(at) == Vector, at == vector(302253.0, 151126.5))  -- expect: 302253.0	151126.5	48958689.0625	true	true

-- In some iterations it gets away: into a table, an upvalue, a call, an error, a coroutine.
local kept, last, caught = {}, nil, 0
local function look(t) return t.a + (t.b or 0) end
local function spread(n)
  local total = 0
  for i = 1, n do
    local t = { a = i, b = i * 2 }
    local other = t
    other.a = other.a + 1
    if i % 100 == 0 then kept[#kept + 1] = t end
    if i % 150 == 0 then last = other end
    if i % 70 == 0 then total = total + look(t) end
    if i % 90 == 0 then
      local ok, e = pcall(error, t)
      if not ok and e == other then caught = caught + 1 end
    end
    if i % 130 == 0 then total = total + coroutine.wrap(function() coroutine.yield(t.b) end)() end
    other.b = other.b + t.a
    total = (total + t.b) % 1000003
  end
  return total
end
print(spread(2000), #kept, kept[3].a, kept[3].b, last.a, last.b, caught)  -- expect: 121470	20	301	901	1951	5851	22

-- Tables in tables, and in themselves.
local function nest(n)
  local sum, odd = 0, nil
  for i = 1, n do
    local inner = { v = i }
    local outer = { inner = inner, self = false }
    outer.self = outer
    inner.v = inner.v + 1
    sum = sum + outer.self.self.inner.v
    if i % 333 == 0 then odd = outer end
  end
  return sum, odd.self == odd, odd.inner.v, odd.self.inner == odd.inner
end
print(nest(2000))  -- expect: 2003000	true	1999	true

-- A list that grows at its head; fields that are absent, set to nil, added beyond the room; other kinds of values.
local function grow(n)
  local list, length, weight = nil, 0, 0
  for i = 1, n do
    list = { value = i, next = list }
    if i % 10 == 0 then list = nil end
  end
  while list do length, weight, list = length + 1, weight + list.value, list.next end
  for i = 1, n do
    local t = { one = i }
    t.two, t.three, t.four = i % 3 == 0 and "s" or i, t.one, nil
    t.one = nil
    local count = 0
    for _ in pairs(t) do count = count + 1 end
    weight = weight + count + (t.one or 0) + (type(t.two) == "string" and 1 or t.two) + #tostring(t.five)
  end
  return length, weight
end
print(grow(1007))  -- expect: 7	351086

-- Lists of numbers of one kind and of others, that change their kind, their length and their owner.
local function pair(a, b) return { a, b } end
local function lists(n)
  local sum, held = 0, nil
  for i = 1, n do
    local p = pair(i, i + 1)
    local f = { i + 0.5, 2.5, i * 0.25 }
    p[1], p[2] = p[2], p[1]
    f[2] = f[2] + f[1]
    sum = sum + p[1] - p[2] + f[2] + #p * #f
    if i % 300 == 0 then f[1] = "text" end
    if i % 400 == 0 then f[4], f[5] = i, f end
    if i % 500 == 0 then p[2] = nil end
    sum = sum + #p + (f[4] or 1) + (type(f[1]) == "string" and 100 or 0)
    local mixed = { p, "x", nil, i }
    sum = sum + mixed[1][1] + mixed[4] + (mixed[3] == nil and 1 or 0)
    if i % 700 == 0 then held = mixed end
    for k, v in ipairs(p) do sum = sum + k * v end
  end
  return sum, #held, held[1][1], held[1][2], held[2], held[4]
end
print(lists(2000))  -- expect: 12034591.0	4	1401	1400	x	1400

-- __index and __newindex of a metatable that comes late; the metatable is one that changes.
local late = { __index = function(_, key) return #key end }
local function decorate(n)
  local sum = 0
  for i = 1, n do
    local t = { x = i, y = false }
    setmetatable(t, late)
    sum = sum + t.x + t.absent
    if i == 1500 then late.__newindex = function(table_, key, value) rawset(table_, key, value * 2) end end
    t.z = 1
    t.x = nil
    sum = sum + t.z + t.x
  end
  return sum
end
print(decorate(2000))  -- expect: 2017501

-- Finalizers, weak tables and addresses see each table; the collector sees those that were made.
local finalized, weak, names = 0, setmetatable({}, { __mode = "k" }), {}
local closing = { __gc = function(t) finalized = finalized + (t.n > 0 and 1 or 0) end }
local function mark(n)
  for i = 1, n do
    local t = { n = i }
    if i % 20 == 0 then setmetatable(t, closing) end
    if i % 25 == 0 then weak[t] = i end
    if i % 30 == 0 then names[tostring(t)] = t end
  end
end
mark(1500)
collectgarbage()
collectgarbage()
local left, named = 0, 0
for _ in pairs(weak) do left = left + 1 end
for _ in pairs(names) do named = named + 1 end
print(finalized, left, named)  -- expect: 50	10	50
