-- group: kinds
-- Rays through spheres and a floor; vectors are new tables {x, y, z} that plain functions make, with reflections by recursion.
local scale = tonumber((...)) or 1
local sqrt, floor, huge = math.sqrt, math.floor, math.huge

local function add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function times(a, k) return { a[1] * k, a[2] * k, a[3] * k } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function unit(a) return times(a, 1 / sqrt(dot(a, a))) end

local spheres = {}
for i = 1, 9 do
  spheres[i] = { center = { (i - 5) * 1.1, (i * 7 % 5) * 0.5, 6 + i * 3 % 4 }, radius = 0.5 + i % 3 * 0.2, color = { i / 9, 1 - i / 9, 0.5 }, shine = i % 2 * 0.4 }
end
local lamp = unit { 1, 3, -2 }

local function hit(sphere, origin, direction)
  local to = sub(sphere.center, origin)
  local along = dot(to, direction)
  local root = along * along - dot(to, to) + sphere.radius * sphere.radius
  if root < 0 then return nil end
  local distance = along - sqrt(root)
  return distance > 1e-4 and distance or nil
end

local function nearest(origin, direction)
  local best, found = huge, nil
  for _, sphere in ipairs(spheres) do
    local distance = hit(sphere, origin, direction)
    if distance and distance < best then best, found = distance, sphere end
  end
  return found, best
end

local function trace(origin, direction, depth)
  local sphere, distance = nearest(origin, direction)
  local point, normal, color, shine
  if sphere then
    point = add(origin, times(direction, distance))
    normal, color, shine = unit(sub(point, sphere.center)), sphere.color, sphere.shine
  elseif direction[2] < 0 then
    point = add(origin, times(direction, (-1 - origin[2]) / direction[2]))
    local dark = (floor(point[1]) + floor(point[3])) % 2 == 0
    normal, color, shine = { 0, 1, 0 }, dark and { 0.2, 0.2, 0.2 } or { 0.9, 0.9, 0.9 }, 0.1
  else
    return { 0.4, 0.6, 0.8 + 0.2 * direction[2] }
  end
  local light = dot(normal, lamp)
  if light < 0 or nearest(point, lamp) then light = 0 end
  local seen = times(color, 0.2 + 0.8 * light)
  if shine > 0 and depth > 0 then
    local mirrored = sub(direction, times(normal, 2 * dot(direction, normal)))
    seen = add(times(seen, 1 - shine), times(trace(point, mirrored, depth - 1), shine))
  end
  return seen
end

local size, sum = floor(90 * sqrt(scale)), { 0, 0, 0 }
for row = 1, size do
  for column = 1, size do
    sum = add(sum, trace({ 0, 0.5, -3 }, unit { (column - size / 2) / size, (size / 2 - row) / size, 1 }, 3))
  end
end
print(("%d %.4f %.4f %.4f"):format(size, sum[1], sum[2], sum[3]))
