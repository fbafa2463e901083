-- group: objects
-- Julia sets by complex numbers that are pairs: each sum and product is a new table, which nobody keeps.
local scale = tonumber((...)) or 1

local function complex(re, im) return { re, im } end
local function add(a, b) return complex(a[1] + b[1], a[2] + b[2]) end
local function multiply(a, b) return complex(a[1] * b[1] - a[2] * b[2], a[1] * b[2] + a[2] * b[1]) end
local function norm(a) return a[1] * a[1] + a[2] * a[2] end

--- Iterations until z leaves the circle of radius 2, at most `most`.
local function escape(z, c, most)
  for i = 1, most do
    if norm(z) > 4.0 then return i end
    z = add(multiply(z, z), c)
  end
  return most
end

local function area(c, size)
  local sum = 0
  for y = 1, size do
    for x = 1, size do
      sum = sum + escape(complex(4.0 * x / size - 2.0, 4.0 * y / size - 2.0), c, 60)
    end
  end
  return sum
end

for _ = 1, math.max(1, math.floor(14 * scale)) do
  assert(area(complex(-0.4, 0.6), 80) == 48966)
  assert(area(complex(0.285, 0.01), 80) == 48733)
end
