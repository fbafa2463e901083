-- group: objects
-- Shortest routes in a grid of streets: nodes that know their neighbours, breadth-first search, then
-- relaxation with costs.
local scale = tonumber((...)) or 1

local function build(width, height)
  local nodes, by_name = {}, {}
  for y = 1, height do
    for x = 1, width do
      local node = { name = x .. ":" .. y, x = x, y = y, roads = {}, cost = (x * 7 + y * 13) % 11 + 1 }
      nodes[#nodes + 1] = node
      by_name[node.name] = node
    end
  end
  for _, node in ipairs(nodes) do
    for _, step in ipairs({ { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }) do
      local neighbour = by_name[(node.x + step[1]) .. ":" .. (node.y + step[2])]
      if neighbour and (neighbour.x * neighbour.y) % 9 ~= 4 then
        node.roads[#node.roads + 1] = neighbour
      end
    end
  end
  return nodes
end

local function hops(nodes, start)
  local distance, queue, head = { [start] = 0 }, { start }, 1
  while queue[head] do
    local node = queue[head]
    head = head + 1
    for _, neighbour in ipairs(node.roads) do
      if not distance[neighbour] then
        distance[neighbour] = distance[node] + 1
        queue[#queue + 1] = neighbour
      end
    end
  end
  local sum = 0
  for _, node in ipairs(nodes) do sum = sum + (distance[node] or 0) end
  return sum
end

local function cheapest(nodes, start)
  for _, node in ipairs(nodes) do node.best = math.huge end
  start.best = 0
  local changed = true
  while changed do
    changed = false
    for _, node in ipairs(nodes) do
      for _, neighbour in ipairs(node.roads) do
        local offer = node.best + neighbour.cost
        if offer < neighbour.best then
          neighbour.best = offer
          changed = true
        end
      end
    end
  end
  local sum = 0
  for _, node in ipairs(nodes) do
    if node.best < math.huge then sum = sum + node.best end
  end
  return sum
end

for _ = 1, math.max(1, math.floor(70 * scale)) do
  local nodes = build(48, 48)
  assert(hops(nodes, nodes[1]) * 1000000 + cheapest(nodes, nodes[1]) == 100856429741)
end
