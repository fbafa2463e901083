-- group: numeric
-- Planets pulling at each other, moved by the leapfrog rule: float fields read and written in nested loops.
local scale = tonumber((...)) or 1

local function solar_system()
  local bodies = {}
  for i = 1, 6 do
    local distance, speed = 0.4 * i * i, 1.0 / math.sqrt(0.4 * i * i)
    bodies[i] = { x = distance, y = 0.0, z = 0.01 * i, vx = 0.0, vy = speed, vz = 0.0, mass = 0.001 / i }
  end
  bodies[7] = { x = 0.0, y = 0.0, z = 0.0, vx = 0.0, vy = 0.0, vz = 0.0, mass = 1.0 }
  return bodies
end

local function step(bodies, dt)
  local count = #bodies
  for i = 1, count do
    local a = bodies[i]
    local ax, ay, az, amass = a.x, a.y, a.z, a.mass
    local vx, vy, vz = a.vx, a.vy, a.vz
    for j = i + 1, count do
      local b = bodies[j]
      local dx, dy, dz = ax - b.x, ay - b.y, az - b.z
      local square = dx * dx + dy * dy + dz * dz + 1e-4
      local pull = dt / (square * math.sqrt(square))
      local from_b, from_a = b.mass * pull, amass * pull
      vx, vy, vz = vx - dx * from_b, vy - dy * from_b, vz - dz * from_b
      b.vx, b.vy, b.vz = b.vx + dx * from_a, b.vy + dy * from_a, b.vz + dz * from_a
    end
    a.vx, a.vy, a.vz = vx, vy, vz
  end
  for i = 1, count do
    local body = bodies[i]
    body.x, body.y, body.z = body.x + dt * body.vx, body.y + dt * body.vy, body.z + dt * body.vz
  end
end

local function run(steps)
  local bodies = solar_system()
  for _ = 1, steps do step(bodies, 0.01) end
  local momentum = 0.0
  for _, body in ipairs(bodies) do momentum = momentum + body.mass * (body.vx * body.vx + body.vy * body.vy) end
  return string.format("%.9f", momentum)
end

for _ = 1, math.max(1, math.floor(120 * scale)) do
  assert(run(2000) == "0.002932541")
end
