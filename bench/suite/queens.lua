-- group: array
-- All ways to place queens on a board so that none attacks another: recursion over four small arrays.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function count_placements(size)
  local column_taken, rising_taken, falling_taken = {}, {}, {}
  for i = 1, size do column_taken[i] = false end
  for i = 1, 2 * size do rising_taken[i], falling_taken[i] = false, false end

  local function place(row)
    if row > size then return 1 end
    local count = 0
    for column = 1, size do
      local rising, falling = row + column - 1, row - column + size
      if not column_taken[column] and not rising_taken[rising] and not falling_taken[falling] then
        column_taken[column], rising_taken[rising], falling_taken[falling] = true, true, true
        count = count + place(row + 1)
        column_taken[column], rising_taken[rising], falling_taken[falling] = false, false, false
      end
    end
    return count
  end

  return place(1)
end

for _ = 1, math.max(1, math.floor(270 * scale)) do
  assert(count_placements(train and 6 or 9) == (train and 4 or 352))
end
