-- group: coroutines
-- Do two trees of different shape hold the same leaves? Two walks in lock step, one coroutine each.
local scale = tonumber((...)) or 1

local function leaning_left(first, last)
  local tree = first
  for value = first + 1, last do tree = { tree, value } end
  return tree
end

local function balanced(first, last)
  if first == last then return first end
  local middle = math.floor((first + last) / 2)
  return { balanced(first, middle), balanced(middle + 1, last) }
end

local function walk(tree)
  if type(tree) == "table" then
    walk(tree[1])
    walk(tree[2])
  else
    coroutine.yield(tree)
  end
end

local function leaves(tree)
  return coroutine.wrap(function()
    walk(tree)
    return nil
  end)
end

local function same_fringe(a, b)
  local next_a, next_b = leaves(a), leaves(b)
  local count = 0
  while true do
    local x, y = next_a(), next_b()
    if x ~= y then return false, count end
    if x == nil then return true, count end
    count = count + 1
  end
end

local list, tree, other = leaning_left(1, 150), balanced(1, 150), balanced(1, 149)

for _ = 1, math.max(1, math.floor(4500 * scale)) do
  local same, count = same_fringe(list, tree)
  assert(same and count == 150)
  same, count = same_fringe(tree, other)
  assert(not same and count == 149)
end
