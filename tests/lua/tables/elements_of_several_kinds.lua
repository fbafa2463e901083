-- One access in a hot loop meets tables whose elements are integers, floats, values of any type, or none; elements that are absent,
-- in the hash part, or found by __index; and lists made from open results.
local function second(list) return list[2] end

local made = {
  { 1, 2, 3 }, { 1.5, 2.5, 3.5 }, { "a", "b", "c" }, { 1 }, {}, { 1, nil, 3 }, { 1, 2.5, "x" },
  setmetatable({ 7 }, { __index = function(_, key) return key * 10 end }),
  setmetatable({}, { __index = { 8, 9 } }),
  setmetatable({ 1, 2 }, { __index = { 8, 9 } }),
  { [2] = "behind", [3] = "further" },
}

local function read_all(rounds)
  local counts, sum = {}, 0
  for i = 1, rounds do
    local found = second(made[i % #made + 1])
    local kind = math.type(found) or type(found)
    counts[kind] = (counts[kind] or 0) + 1
    if math.type(found) then sum = sum + found end
  end
  local names = {}
  for name, count in pairs(counts) do names[#names + 1] = name .. " " .. count end
  table.sort(names)
  return table.concat(names, ", "), sum
end
for _ = 1, 6 do print(read_all(2200)) end

-- The kind changes under the loop's hands.
local function widen(rounds)
  local list, log = { 1, 2, 3, 4 }, {}
  for i = 1, rounds do
    local before = list[i % 4 + 1]
    if i % 700 == 0 then list = i % 1400 == 0 and { 1, 2, 3, 4 } or { 1.5, 2.5, 3.5, 4.5 } end
    if i % 500 == 0 then list[i % 4 + 1] = "s" .. i end
    if i % 333 == 0 then list[4] = nil end
    if i % 333 == 5 then list[4] = i end
    if before ~= list[i % 4 + 1] then log[#log + 1] = tostring(before) .. ">" .. tostring(list[i % 4 + 1]) end
  end
  return table.concat(log, " ")
end
print(widen(9000))

local function results(n)
  if n == 0 then return end
  if n == 1 then return 1 end
  if n == 2 then return 1, 2.5 end
  if n == 3 then return "a", nil, "c" end
  if n == 4 then return 1, 2, 3, nil end
  return 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
end
local function gather(n) return { "first", results(n) } end
local function only(n) return { results(n) } end
local function show(list)
  local parts = {}
  for i = 1, 12 do parts[i] = tostring(rawget(list, i)) end
  return #list .. ":" .. table.concat(parts, " ")
end
local seen = {}
for i = 1, 1200 do
  for _, make in ipairs { gather, only } do
    local text = show(make(i % 6))
    seen[text] = (seen[text] or 0) + 1
  end
end
local lines = {}
for text, count in pairs(seen) do lines[#lines + 1] = text .. " x" .. count end
table.sort(lines)
print(table.concat(lines, "\n"))

-- A loop that is entered with variables of other types than those it was optimized for.
local function accumulate(start, step, rounds)
  local value = start
  for _ = 1, rounds do value = value + step end
  return value
end
local meta = setmetatable({}, { __add = function(a, b) return a end })
for i = 1, 400 do
  local a = accumulate(i, 1, 50)
  local b = accumulate(i + 0.5, 2, 50)
  local c = accumulate(tostring(i), 1, 50)
  local d = accumulate(meta, 1, 50)
  if i % 100 == 0 then print(a, b, c, d == meta) end
end

-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: float 400, integer 800, nil 600, string 400	7600.0
-- expect: 1>s500 nil>671 s500>1.5 4.5>nil 1.5>s1000 s1000>1 1>s1500 s1500>s2000 nil>2003 s2000>1.5 4.5>nil 1.5>s2500 s2500>1 1>s3000 nil>3335 s3000>s3500 4.5>nil s3500>s4000 s4000>1 1>s4500 nil>4667 s4500>1.5 4.5>nil 1.5>s5000 s5000>s5500 s5500>1 nil>5999 1>s6000 s6000>1.5 4.5>nil 1.5>s6500 s6500>s7000 nil>7331 s7000>s7500 7331>nil s7500>1.5 1.5>s8000 s8000>1 1>s8500 nil>8663 8663>nil s8500>s9000
-- expect: 0:nil nil nil nil nil nil nil nil nil nil nil nil x200
-- expect: 11:1 2 3 4 5 6 7 8 9 10 11 nil x200
-- expect: 12:first 1 2 3 4 5 6 7 8 9 10 11 x200
-- expect: 1:1 nil nil nil nil nil nil nil nil nil nil nil x200
-- expect: 1:first nil nil nil nil nil nil nil nil nil nil nil x200
-- expect: 2:1 2.5 nil nil nil nil nil nil nil nil nil nil x200
-- expect: 2:first 1 nil nil nil nil nil nil nil nil nil nil x200
-- expect: 3:1 2 3 nil nil nil nil nil nil nil nil nil x200
-- expect: 3:a nil c nil nil nil nil nil nil nil nil nil x200
-- expect: 3:first 1 2.5 nil nil nil nil nil nil nil nil nil x200
-- expect: 4:first 1 2 3 nil nil nil nil nil nil nil nil x200
-- expect: 4:first a nil c nil nil nil nil nil nil nil nil x200
-- expect: 150	200.5	150	true
-- expect: 250	300.5	250	true
-- expect: 350	400.5	350	true
-- expect: 450	500.5	450	true
