-- group: allocation
-- Objects that die at once: points, complex numbers, small arrays and closures, of which only a sum survives.
local scale = tonumber((...)) or 1

local function point(x, y) return { x = x, y = y } end
local function midpoint(a, b) return point((a.x + b.x) * 0.5, (a.y + b.y) * 0.5) end
local function complex_product(a, b) return { re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re } end
local function triple(i) return { i, i + 1, i + 2 } end
local function adder(n) return function(x) return x + n end end

local function work(rounds)
  local total, rotation, power = 0, { re = 0.6, im = 0.8 }, { re = 1.0, im = 0.0 }
  local corner = point(0, 0)
  for i = 1, rounds do
    corner = midpoint(corner, point(i % 10, i % 7))
    power = complex_product(power, rotation)
    local three = triple(i)
    total = (total + adder(three[2])(three[1] + three[3])) % 65521
  end
  assert(math.abs(power.re * power.re + power.im * power.im - 1) < 1e-9)
  return total + math.floor(corner.x * 1000) + math.floor(corner.y * 1000)
end

for _ = 1, math.max(1, math.floor(34 * scale)) do
  assert(work(40000) == 20613)
end
