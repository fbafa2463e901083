-- group: array
-- The edit distance of words: two rolling rows of integers and a three-way minimum.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local words = { "intention", "execution", "kitten", "sitting", "saturday", "sunday", "algorithm", "logarithm",
                "distance", "instance", "rosettacode", "raisethysword", "compiler", "interpreter" }
if train then words = { "kitten", "sitting" } end

local function edit_distance(a, b)
  local previous, current = {}, {}
  for j = 0, #b do previous[j + 1] = j end
  for i = 1, #a do
    local letter = a:byte(i)
    current[1] = i
    for j = 1, #b do
      local best = previous[j]
      if letter ~= b:byte(j) then
        if current[j] < best then best = current[j] end
        if previous[j + 1] < best then best = previous[j + 1] end
        best = best + 1
      end
      current[j + 1] = best
    end
    previous, current = current, previous
  end
  return previous[#b + 1]
end

local function total_distance()
  local total = 0
  for _, a in ipairs(words) do
    for _, b in ipairs(words) do total = total + edit_distance(a, b) end
  end
  return total
end

for _ = 1, math.max(1, math.floor(600 * scale)) do
  assert(total_distance() == (train and 6 or 1492))
end
