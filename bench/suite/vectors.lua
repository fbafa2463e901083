-- group: objects
-- A tiny ray caster over vectors with operators: every + - * is a metamethod call that makes a new object.
local scale = tonumber((...)) or 1

local Vector = {}
Vector.__index = Vector

local function vector(x, y, z) return setmetatable({ x = x, y = y, z = z }, Vector) end

function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y, a.z + b.z) end
function Vector.__sub(a, b) return vector(a.x - b.x, a.y - b.y, a.z - b.z) end
function Vector.__mul(a, factor) return vector(a.x * factor, a.y * factor, a.z * factor) end
function Vector.__unm(a) return vector(-a.x, -a.y, -a.z) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y and a.z == b.z end
function Vector:dot(other) return self.x * other.x + self.y * other.y + self.z * other.z end
function Vector:unit() return self * (1.0 / math.sqrt(self:dot(self))) end

local spheres = {
  { centre = vector(0.0, 0.0, 5.0), radius = 1.5 },
  { centre = vector(1.5, 1.0, 4.0), radius = 0.75 },
  { centre = vector(-1.5, -0.5, 3.5), radius = 0.5 },
}
local light = vector(1.0, 2.0, -2.0):unit()

--- Distance along the ray to the sphere, or nil.
local function intersect(sphere, origin, direction)
  local to_centre = sphere.centre - origin
  local along = to_centre:dot(direction)
  local square = sphere.radius * sphere.radius - (to_centre:dot(to_centre) - along * along)
  if square < 0 then return nil end
  local distance = along - math.sqrt(square)
  if distance > 1e-3 then return distance end
end

local function nearest(origin, direction)
  local best, hit
  for _, sphere in ipairs(spheres) do
    local distance = intersect(sphere, origin, direction)
    if distance and (not best or distance < best) then best, hit = distance, sphere end
  end
  return best, hit
end

local function shade(direction)
  local origin = vector(0.0, 0.0, 0.0)
  local distance, sphere = nearest(origin, direction)
  if not distance then return 0 end
  local point = origin + direction * distance
  local normal = (point - sphere.centre):unit()
  local brightness = normal:dot(light)
  if brightness <= 0 or nearest(point, light) then return 1 end
  return 2 + math.floor(brightness * 7)
end

local function render(width, height)
  local total = 0
  for y = 1, height do
    for x = 1, width do
      local direction = vector((x - width / 2) / width * 2, (y - height / 2) / height * 2, 2.0):unit()
      total = total + shade(direction) * ((x + y) % 5)
    end
  end
  assert(-vector(1, 2, 3) == vector(-1, -2, -3))
  return total
end

for _ = 1, math.max(1, math.floor(81 * scale)) do
  assert(render(64, 48) == 13485)
end
