-- group: kinds
-- Conway's life in a quad-tree whose equal nodes are one node, so that the future of each is computed once: nodes are found in a table by a string of their
-- children's numbers.
local scale = tonumber((...)) or 1

local nodes, by_key, count = {}, {}, 0

local function node(nw, ne, sw, se)
  local key = nw.id .. " " .. ne.id .. " " .. sw.id .. " " .. se.id
  local known = by_key[key]
  if known then return known end
  count = count + 1
  known = { id = count, level = nw.level + 1, alive = nw.alive + ne.alive + sw.alive + se.alive, nw = nw, ne = ne, sw = sw, se = se }
  by_key[key], nodes[count] = known, known
  return known
end

local DEAD, ALIVE

local function forget()
  nodes, by_key, count = {}, {}, 2
  DEAD, ALIVE = { id = 1, level = 0, alive = 0 }, { id = 2, level = 0, alive = 1 }
  nodes[1], nodes[2] = DEAD, ALIVE
end

local function empty(level)
  if level == 0 then return DEAD end
  local part = empty(level - 1)
  return node(part, part, part, part)
end

local function lives(cell, around)
  if around == 3 or (around == 2 and cell == ALIVE) then return ALIVE end
  return DEAD
end

--- The inner 2 x 2 of a node of 4 x 4, one step later.
local function step_of_smallest(n)
  local a, b, c, d = n.nw, n.ne, n.sw, n.se
  local cells = { a.nw, a.ne, b.nw, b.ne, a.sw, a.se, b.sw, b.se, c.nw, c.ne, d.nw, d.ne, c.sw, c.se, d.sw, d.se }
  local function around(i)
    local sum = 0
    for row = -4, 4, 4 do
      for column = -1, 1 do
        if row ~= 0 or column ~= 0 then sum = sum + cells[i + row + column].alive end
      end
    end
    return lives(cells[i], sum)
  end
  return node(around(6), around(7), around(10), around(11))
end

--- The inner half of a node, one step later.
local function step(n)
  if n.next then return n.next end
  local result
  if n.alive == 0 then
    result = n.nw
  elseif n.level == 2 then
    result = step_of_smallest(n)
  else
    local nw, ne, sw, se = n.nw, n.ne, n.sw, n.se
    local function middle(a, b, c, d) return node(a.se, b.sw, c.ne, d.nw) end
    local function across(a, b) return node(a.ne.se, b.nw.sw, a.se.ne, b.sw.nw) end
    local function down(a, b) return node(a.sw.se, a.se.sw, b.nw.ne, b.ne.nw) end
    local inner = node(nw.se.se, ne.sw.sw, sw.ne.ne, se.nw.nw)
    local n00, n01, n02 = middle(nw.nw, nw.ne, nw.sw, nw.se), across(nw, ne), middle(ne.nw, ne.ne, ne.sw, ne.se)
    local n10, n12 = down(nw, sw), down(ne, se)
    local n20, n21, n22 = middle(sw.nw, sw.ne, sw.sw, sw.se), across(sw, se), middle(se.nw, se.ne, se.sw, se.se)
    result = node(step(node(n00, n01, n10, inner)), step(node(n01, n02, inner, n12)), step(node(n10, inner, n20, n21)), step(node(inner, n12, n21, n22)))
  end
  n.next = result
  return result
end

local function set(n, x, y)
  if n.level == 0 then return ALIVE end
  local half = 1 << (n.level - 1)
  local nw, ne, sw, se = n.nw, n.ne, n.sw, n.se
  if y < half then
    if x < half then nw = set(nw, x, y) else ne = set(ne, x - half, y) end
  elseif x < half then
    sw = set(sw, x, y - half)
  else
    se = set(se, x - half, y - half)
  end
  return node(nw, ne, sw, se)
end

local function grow(n)
  local e = empty(n.level - 1)
  return node(node(e, e, e, n.nw), node(e, e, n.ne, e), node(e, n.sw, e, e), node(n.se, e, e, e))
end

local total = 0
for _ = 1, math.ceil(3 * scale) do
  forget()
  local world = empty(7)
  for _, cell in ipairs { { 60, 60 }, { 61, 60 }, { 60, 61 }, { 59, 61 }, { 60, 62 }, { 70, 64 }, { 71, 64 }, { 72, 64 } } do world = set(world, cell[1], cell[2]) end
  for _ = 1, 120 do world = step(grow(world)) end
  total = total + world.alive * 1000 + count
end
print(total)
