-- group: numeric
-- The largest singular value of an implicit matrix by the power method: a tiny function called in the inner
-- loop.
local scale = tonumber((...)) or 1

local function entry(row, column)
  return 1.0 / (1 + row * 2 + column * column % 7)
end

local function multiply(vector, result, transposed)
  local size = #vector
  for i = 1, size do
    local sum = 0.0
    for j = 1, size do
      sum = sum + (transposed and entry(j, i) or entry(i, j)) * vector[j]
    end
    result[i] = sum
  end
end

local function largest_singular_value(size, rounds)
  local vector, image = {}, {}
  for i = 1, size do vector[i] = 1.0 end
  local length = 1.0
  for _ = 1, rounds do
    multiply(vector, image, false)
    multiply(image, vector, true)
    length = 0.0
    for i = 1, size do length = length + vector[i] * vector[i] end
    length = math.sqrt(length)
    for i = 1, size do vector[i] = vector[i] / length end
  end
  return string.format("%.8f", math.sqrt(length))
end

for _ = 1, math.max(1, math.floor(94 * scale)) do
  assert(largest_singular_value(100, 10) == "3.66246532")
end
