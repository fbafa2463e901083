-- Names, objects, booleans, floats and sparse integers as keys in loops that get compiled, present, absent, replaced, removed and revived.
local function census(keys, rounds)
  local counts = {}
  for _ = 1, rounds do
    for j = 1, #keys do
      local key = keys[j]
      counts[key] = (counts[key] or 0) + 1
    end
  end
  return counts
end

local words, few, objects, sparse, mixed = {}, {}, {}, {}, {}
for i = 1, 100 do
  words[i] = "word" .. i
  few[i] = "w" .. i % 7
  objects[i] = {}
  sparse[i] = i * 977 - 20000
  mixed[i] = i % 5 == 0 and "m" .. i or i % 5 == 1 and i * 0.5 or i % 5 == 2 and objects[i] or i % 5 == 3 and (i % 2 == 0) or i * i
end
local long, rounds = string.rep("long", 20), os.getenv("ROUNDS") == "few" and 30 or 300
for _, keys in ipairs { words, few, objects, sparse, mixed, { 1.0, 2.0, 3.5, -0.0, 0, 1e300, math.huge, 2^53 }, { long, long .. "x", "short" },
                        { true, false }, { 1 << 40, -(1 << 40), math.mininteger, math.maxinteger } } do
  local counts, sum, kinds = census(keys, rounds), 0, 0
  for key, n in pairs(counts) do
    sum, kinds = sum + n, kinds + 1
  end
  print(#keys, sum // rounds, kinds)
  -- expect: 100	100	100
  -- expect: 100	100	7
  -- expect: 100	100	100
  -- expect: 100	100	100
  -- expect: 100	100	91
  -- expect: 8	8	7
  -- expect: 3	3	3
  -- expect: 2	2	2
  -- expect: 4	4	4
end

-- Keys that come and go: a name that was removed counts as absent, and comes back.
local t, seen = {}, 0
for round = 1, 200 do
  for j = 1, 100 do t[words[j]] = round end
  for j = 1, 100, 2 do t[words[j]] = nil end
  for j = 1, 100 do if t[words[j]] then seen = seen + 1 end end
  for j = 1, 100 do t[objects[j]] = j t[objects[j]] = nil end
  if round % 50 == 0 then collectgarbage() end
end
print(seen)  -- expect: 10000
local n = 0
for _ in pairs(t) do n = n + 1 end
print(n)  -- expect: 50

-- Fields that are cleared while the table is traversed; assigned while it is.
for round = 1, 100 do
  local copy = {}
  for i = 1, 50 do copy[words[i]] = i copy[objects[i]] = i copy[i * 1000] = i end
  for k, v in pairs(copy) do copy[k] = v + 1 end
  local sum = 0
  for k, v in pairs(copy) do sum = sum + v copy[k] = nil end
  if round == 100 then print(sum, next(copy)) end  -- expect: 3975	nil
end

-- Metatables: __index and __newindex as tables and functions, asked for what is absent only, also where they come and go.
local base = { w1 = "base" }
local log = 0
local metatables = {
  { __index = base },
  { __index = function(_, k) log = log + 1 return k == "w1" and "function" or nil end },
  { __newindex = function(o, k, v) log = log + 1 rawset(o, k, v) end },
  { __mode = "k" },
  {},
}
local found = {}
for round = 1, 500 do
  local o = {}
  for i = 2, 7 do o["w" .. i] = i end
  setmetatable(o, metatables[round % 6])
  local key = few[round % 7 + 1]
  o[key] = o[key] or round % 3
  o[objects[round % 9 + 1]] = key
  found[key] = (found[key] or 0) + (o[objects[round % 9 + 1]] == key and 1 or 0)
  o.x = o[objects[1]]
end
local keys = {}
for k, v in pairs(found) do keys[#keys + 1] = k .. "=" .. v end
table.sort(keys)
print(table.concat(keys, " "), log)  -- expect: w0=71 w1=71 w2=72 w3=72 w4=72 w5=71 w6=71	298

-- A metatable that gets __index after the loop was compiled, and loses it again.
local meta = {}
local plain = setmetatable({ a = 1 }, meta)
local hits = 0
for round = 1, 3000 do
  if round == 1000 then meta.__index = { b = 5, c = 6 } end
  if round == 2000 then meta.__index = nil end
  local key = round % 3 == 0 and "a" or round % 3 == 1 and "b" or objects[1]
  hits = hits + (plain[key] or 0)
end
print(hits)  -- expect: 2670

-- Names of metamethods by computed key change what a metatable says.
local m = {}
local subject = setmetatable({}, m)
for round = 1, 300 do
  local event = round % 2 == 0 and "__index" or "__len"
  m[event] = function() return round end
  if round > 2 then hits = hits + subject[words[1]] + #subject end
end
print(hits)  -- expect: 92666

-- What must not be a key.
for i = 1, 200 do
  local o, key = {}, 0 / 0
  local ok, message = pcall(function() for j = 1, 3 do if o[key] == nil then o[j] = j end end o[key] = 1 end)
  if i == 200 then print(ok, message) end  -- expect: false	keys_in_hot_loops.lua:115: table index is NaN
  key = nil
  ok, message = pcall(function() for j = 1, 3 do if o[key] == nil then o[j] = j end end o[key] = 1 end)
  if i == 200 then print(ok, message, #o) end
  -- expect: false	keys_in_hot_loops.lua:118: table index is nil	3
end
