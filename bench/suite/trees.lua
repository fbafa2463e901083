-- group: allocation
-- Complete binary trees, built and thrown away: many small tables of one shape.
local scale = tonumber((...)) or 1

local function grow(depth)
  if depth == 0 then return { left = false, right = false } end
  return { left = grow(depth - 1), right = grow(depth - 1) }
end

local function count(tree)
  if not tree.left then return 1 end
  return 1 + count(tree.left) + count(tree.right)
end

local function mirror(tree)
  if not tree.left then return { left = false, right = false } end
  return { left = mirror(tree.right), right = mirror(tree.left) }
end

for _ = 1, math.max(1, math.floor(30 * scale)) do
  local long_lived = grow(14)
  for depth = 4, 12, 2 do
    for _ = 1, 2 ^ (13 - depth) do assert(count(grow(depth)) == 2 ^ (depth + 1) - 1) end
  end
  assert(count(mirror(long_lived)) == 32767)
end
