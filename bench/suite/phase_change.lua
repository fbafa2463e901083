-- group: branchy
-- A program with phases: for a while one path through the loop is hot, then another, with different types and
-- shapes. What was learnt in one phase misleads in the next.
local scale = tonumber((...)) or 1

local function process(record, mode)
  if mode == "sum" then
    return record.value + record.weight
  elseif mode == "scale" then
    if record.value > 500 then return record.value * 0.5 end
    return record.value * 2
  elseif mode == "text" then
    return #(record.name .. record.value)
  elseif record.children then
    local total = 0
    for _, child in ipairs(record.children) do total = total + process(child, "sum") end
    return total
  end
  return 1
end

local function plain(i) return { value = i % 1000, weight = i % 7, name = "r" } end
local function reordered(i) return { name = "record", weight = i % 5, value = i * 3 % 1000 } end
local function nested(i) return { children = { plain(i), reordered(i) }, value = 0, weight = 0, name = "" } end

local phases = {
  { make = plain, mode = "sum" }, { make = plain, mode = "scale" }, { make = reordered, mode = "sum" },
  { make = reordered, mode = "text" }, { make = nested, mode = "deep" }, { make = nested, mode = "sum" },
}

local function run(per_phase)
  local total = 0
  for _, phase in ipairs(phases) do
    local records = {}
    for i = 1, 50 do records[i] = phase.make(i * 37) end
    for i = 1, per_phase do
      total = (total + process(records[i % 50 + 1], phase.mode)) % 1000003
    end
  end
  return math.floor(total)
end

for _ = 1, math.max(1, math.floor(140 * scale)) do
  assert(run(10000) == 903328)
end
