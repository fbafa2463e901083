-- group: branchy
-- A deterministic automaton by table: it finds dates (2024-03-17), times (12:34) and versions (1.2.3) in a
-- stream of bytes.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local OTHER, DIGIT, DASH, COLON, DOT = 1, 2, 3, 4, 5
local class_of = {}
for c = 0, 255 do class_of[c] = OTHER end
for c = 48, 57 do class_of[c] = DIGIT end
class_of[45], class_of[58], class_of[46] = DASH, COLON, DOT

-- Rows are states, columns are classes. 1 waits, 2 is in a first number, 3 to 6 are inside the three forms, 7
-- to 9 accept.
local next_state = {
  --  other digit dash colon dot
  { 1, 2, 1, 1, 1 },   -- 1 waiting
  { 1, 2, 3, 5, 6 },   -- 2 first number
  { 1, 4, 1, 1, 1 },   -- 3 number, dash
  { 1, 4, 7, 1, 1 },   -- 4 number, dash, number
  { 1, 8, 1, 1, 1 },   -- 5 number, colon
  { 1, 10, 1, 1, 1 },  -- 6 number, dot
  { 1, 11, 1, 1, 1 },  -- 7 number, dash, number, dash
  { 1, 8, 1, 1, 1 },   -- 8 a time
  { 1, 9, 1, 1, 1 },   -- 9 a version
  { 1, 10, 1, 1, 12 }, -- 10 number, dot, number
  { 1, 11, 1, 1, 1 },  -- 11 a date
  { 1, 9, 1, 1, 1 },   -- 12 number, dot, number, dot
}

local function make_text()
  local parts = {}
  for i = 1, train and 4 or 150 do
    parts[#parts + 1] = i % 3 == 0 and string.format("on %d-%02d-%02d", 2000 + i % 30, i % 12 + 1, i % 28 + 1)
      or i % 3 == 1 and string.format("at %02d:%02d sharp", i % 24, i % 60)
      or string.format("release %d.%d.%d, or was it %d - %d?", i % 5, i % 7, i % 11, i, i * i)
  end
  return table.concat(parts, " ")
end

local text = make_text()

local function scan()
  local state, dates, times, versions, moves = 1, 0, 0, 0, 0
  for i = 1, #text do
    local previous = state
    state = next_state[state][class_of[text:byte(i)]]
    if state == previous then
      moves = moves + 1
    elseif state == 1 then
      if previous == 11 then
        dates = dates + 1
      elseif previous == 8 then
        times = times + 1
      elseif previous == 9 then
        versions = versions + 1
      end
    end
  end
  return dates * 1000000 + times * 10000 + versions * 100 + moves % 100
end

for _ = 1, math.max(1, math.floor(3900 * scale)) do
  assert(scan() == (train and 1020151 or 49505071))
end
