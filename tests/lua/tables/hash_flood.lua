-- Tables whose keys somebody has chosen so that all have one hash: strings, short and long, and numbers. They are the same in all that they
-- show. (How strings are hashed is in vm/object/short_bytes.h; with another hash this test is one of ordinary keys. What it costs is
-- in tests/unit/vm/hash_flood_test.cpp.)

local FACTOR, OFFSET = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F

-- The two halves of a product of 128 bits, folded.
local function mix(a, b)
  local a0, a1, b0, b1 = a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32
  local low, m1, m2, high = a0 * b0, a0 * b1, a1 * b0, a1 * b1
  local middle = (low >> 32) + (m1 & 0xffffffff) + (m2 & 0xffffffff)
  high = high + (m1 >> 32) + (m2 >> 32) + (middle >> 32)
  return (a * b) ~ high
end

-- The i-th of the strings of so many words that have one hash: the last word undoes what the words before it did.
local function crafted(i, words)
  local given, state = {}, OFFSET ~ 8 * words
  for k = 1, words - 1 do
    given[k] = k == words - 1 and i or 0x2020202020202020
    state = mix(state ~ given[k], FACTOR)
  end
  given[words] = state ~ 0x1234567
  return string.pack(('<I8'):rep(words), table.unpack(given))
end
local function ordinary(i, words)
  return string.pack(('<I8'):rep(words), table.unpack({i, i, i, i, i, i, i, i}, 1, words))
end

local function keys_of(make, words, count)
  local keys = {}
  for i = 1, count do keys[i] = make(i, words) end
  return keys
end

-- All that one does with a table: stores, finds, traverses in both ways, removes, stores others.
local function use(keys)
  local t, n = {}, #keys
  for i = 1, n do t[keys[i]] = i end
  for i = 1, n do assert(t[keys[i]] == i) end
  local sum, order = 0, {}
  for k, v in pairs(t) do sum = sum + v assert(keys[v] == k) order[#order + 1] = v end
  assert(sum == n * (n + 1) // 2 and #order == n)
  local at = 0
  local k, v = next(t)
  while k ~= nil do
    at = at + 1
    assert(order[at] == v)
    if v % 2 == 1 then t[k] = nil end
    if at % 50 == 0 then collectgarbage('step') end
    k, v = next(t, k)
  end
  assert(at == n)
  for i = 1, n do assert(t[keys[i]] == (i % 2 == 0 and i or nil)) end
  for i = 1, n do t['other' .. i] = i t[i + 0.5] = i end
  for i = 1, n do assert(t[keys[i]] == (i % 2 == 0 and i or nil) and t['other' .. i] == i and t[i + 0.5] == i) end
  for i = 1, n do t[keys[i]] = -i end
  for i = 1, n do assert(t[keys[i]] == -i) end
  return order
end

for _, words in ipairs{2, 5, 7} do
  local order = use(keys_of(crafted, words, 150))
  use(keys_of(ordinary, words, 150))
  -- The order is the same each time.
  local again = use(keys_of(crafted, words, 150))
  for i = 1, #order do assert(order[i] == again[i]) end
  print(words, 'words')
end
-- expect: 2	words
-- expect: 5	words
-- expect: 7	words

-- Equal long strings are one key, whichever object they are.
do
  local t = {}
  for i = 1, 200 do t[crafted(i, 8)] = i end
  local sum = 0
  for i = 1, 200 do sum = sum + t[crafted(i, 8)] end
  print(sum, t[crafted(201, 8)])
  for i = 1, 200, 2 do t[crafted(i, 8)] = nil end
  collectgarbage()
  for i = 1, 300 do t[crafted(i, 8)] = i end
  local count = 0
  for k, v in pairs(t) do count = count + 1 assert(k == crafted(v, 8)) end
  print(count)
end
-- expect: 20100	nil
-- expect: 300

-- Weak keys and values that go, in a flooded table.
do
  local t = setmetatable({}, {__mode = 'k'})
  local kept = {}
  for i = 1, 500 do
    t[crafted(i, 2)] = i
    local o = {}
    if i % 5 == 0 then kept[#kept + 1] = o end
    t[o] = i
  end
  collectgarbage()
  local count = {string = 0, table = 0}  -- the order differs from run to run, and paths with it if this were a branch
  for k in pairs(t) do count[type(k)] = count[type(k)] + 1 end
  print(count.string, count.table)
  for _, o in ipairs(kept) do assert(t[o] ~= nil) end
  t = setmetatable({}, {__mode = 'v'})
  for i = 1, 500 do t[crafted(i, 2)] = i % 2 == 0 and kept or {} end
  collectgarbage()
  for i = 1, 500 do t[crafted(i, 2)] = t[crafted(i, 2)] or i end
  local own = 0
  for i = 1, 500 do if t[crafted(i, 2)] == kept then own = own + 1 end end
  print(own)
end
-- expect: 500	100
-- expect: 250

-- Integers that have one place for each size a table takes: multiples of all of these sizes, less one.
do
  local t, stride = {}, 1023 * 2047 * 4095 * 8191
  for i = 1, 300 do t[i * stride] = i end
  for i = 1, 300 do assert(t[i * stride] == i and t[i * stride + 1] == nil) end
  local sum = 0
  for k, v in pairs(t) do sum = sum + v end
  print(sum)
end
-- expect: 45150
