-- group: numeric
-- The Mandelbrot set on a small grid: pure float arithmetic in a loop whose exit is hard to predict near the
-- border.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function escape_time(cr, ci, limit)
  local zr, zi = 0.0, 0.0
  for iteration = 1, limit do
    local zr2, zi2 = zr * zr, zi * zi
    if zr2 + zi2 > 4.0 then return iteration end
    zi = 2.0 * zr * zi + ci
    zr = zr2 - zi2 + cr
  end
  return limit
end

local function total_time(width, height, limit)
  local total = 0
  for row = 0, height - 1 do
    local ci = 2.4 * row / height - 1.2
    for column = 0, width - 1 do
      total = total + escape_time(3.0 * column / width - 2.1, ci, limit)
    end
  end
  return total
end

for _ = 1, math.max(1, math.floor(160 * scale)) do
  assert(total_time(train and 8 or 80, train and 6 or 60, train and 50 or 200) == (train and 841 or 230728))
end
