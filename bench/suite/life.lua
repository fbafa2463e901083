-- group: array
-- Conway's game of life on a torus: eight neighbours, two grids, one rule.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function new_grid(width, height, fill)
  local grid = {}
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = fill(x, y) end
    grid[y] = row
  end
  return grid
end

local function next_generation(from, to, width, height)
  for y = 1, height do
    local above, here, below = from[(y - 2) % height + 1], from[y], from[y % height + 1]
    local out = to[y]
    for x = 1, width do
      local left, right = (x - 2) % width + 1, x % width + 1
      local neighbours = above[left] + above[x] + above[right] + here[left] + here[right]
        + below[left] + below[x] + below[right]
      if neighbours == 3 or (neighbours == 2 and here[x] == 1) then
        out[x] = 1
      else
        out[x] = 0
      end
    end
  end
end

local function population_after(generations)
  local width, height, seed = 64, 48, train and 11 or 7
  local grid = new_grid(width, height, function()
    seed = seed * 16807 % 2147483647
    return seed % 3 == 0 and 1 or 0
  end)
  local spare = new_grid(width, height, function() return 0 end)
  for _ = 1, generations do
    next_generation(grid, spare, width, height)
    grid, spare = spare, grid
  end
  local population = 0
  for y = 1, height do
    for x = 1, width do population = population + grid[y][x] end
  end
  return population
end

for _ = 1, math.max(1, math.floor(36 * scale)) do
  assert(population_after(train and 5 or 100) == (train and 822 or 305))
end
