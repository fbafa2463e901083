-- Elements that are in the hash part for a while, in tables that have no array at first, or never get one: loads and stores in hot loops.

local function fill(first, last)
  local t = {}
  for i = last, first, -1 do t[i] = i * 3 end
  return t
end

local function sum(t, first, last)
  local all = 0
  for i = first, last do all = all + (t[i] or -1) end
  return all
end

local function bubble(t, first, last)
  for i = first, last do
    t[i], t[i + 1] = (t[i + 1] or 0) + 1, t[i]
  end
end

local results = {}
for round = 1, 120 do
  local first = round % 5 == 0 and 1 or round % 7 + 2
  local t = fill(first, first + round % 30)
  results[#results + 1] = sum(t, 1, 40)
  bubble(t, first, first + 20)
  results[#results + 1] = sum(t, 1, 45)
  if round % 11 == 0 then t = setmetatable({}, { __index = function(_, i) return i end, __newindex = function(_, i, v) rawset(_, i, v + 100) end }) end
  if round % 13 == 0 then t = { 1.5, 2.5, 3.5 } end
  if round % 17 == 0 then t = { "4", "5", nil, 6 } end
  bubble(t, 4, 9)
  results[#results + 1] = sum(t, 1, 12)
end
local digest = 0
for i = 1, #results do digest = (digest * 31 + results[i]) % 1000003 end
print(#results, digest)  -- expect: 360	259237.5

-- Each kind of array, tables with all elements in the hash part, and empty ones, by ipairs.
local kinds = {
  { 1, 2, 3 }, { 1.5, 2.5 }, { "a", "b", "c" }, {}, { 1, "two", 3.5 }, fill(1, 9), fill(3, 9), { 1, nil, 3 },
  setmetatable({}, { __index = function(_, i) if i < 4 then return i * 10 end end }),
}
local function join(t)
  local text = ""
  for i, value in ipairs(t) do text = text .. i .. "=" .. tostring(value) .. ";" end
  return text
end
for round = 1, 90 do
  local text = join(kinds[round % #kinds + 1])
  if round > 80 then print(text) end
  -- expect: 1=1;2=2;3=3;
  -- expect: 1=1.5;2=2.5;
  -- expect: 1=a;2=b;3=c;
  -- expect:
  -- expect: 1=1;2=two;3=3.5;
  -- expect: 1=3;2=6;3=9;4=12;5=15;6=18;7=21;8=24;9=27;
  -- expect:
  -- expect: 1=1;
  -- expect: 1=10;2=20;3=30;
  -- expect: 1=1;2=2;3=3;
end

-- Lists whose values are of kinds that differ from time to time.
local function pair(a, b) return { a, b } end
local function describe(t) return math.type(t[1]) or type(t[1]), math.type(t[2]) or type(t[2]), #t end
local values = { 1, 2.5, "x", 3, 4, 5.5, 6.5, false, true }
local counts = {}
for round = 1, 600 do
  local t = pair(values[round % 9 + 1], values[round % 8 + 1])
  t[#t + 1] = round
  local a, b, n = describe(t)
  local key = tostring(a) .. " " .. tostring(b) .. " " .. n
  counts[key] = (counts[key] or 0) + 1
end
local names = {}
for name in pairs(counts) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do print(name, counts[name]) end
-- expect: boolean boolean 3	17
-- expect: boolean float 3	49
-- expect: boolean integer 3	50
-- expect: boolean string 3	16
-- expect: float boolean 3	26
-- expect: float float 3	76
-- expect: float integer 3	74
-- expect: float string 3	25
-- expect: integer boolean 3	24
-- expect: integer float 3	76
-- expect: integer integer 3	75
-- expect: integer string 3	25
-- expect: string boolean 3	8
-- expect: string float 3	24
-- expect: string integer 3	26
-- expect: string string 3	9

-- A list that grows at its head: its tail is nil at first, and a table from then on.
local list
for i = 1, 500 do list = { i, list } end
local length, total = 0, 0
while list do length, total, list = length + 1, total + list[1], list[2] end
print(length, total)  -- expect: 500	125250
