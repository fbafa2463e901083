-- a % b of floats is exact up to the sign rule (manual §3.4.1): near multiples, where the quotient rounds up to an integer, at
-- its limit 2^53, for subnormal numbers, infinities and zeros of both signs.
local inf, nan = math.huge, 0.0 / 0.0
local function show(v) return v ~= v and 'nan' or ('%a'):format(v) end
local function row(a, b) return show(a % b) .. ' ' .. show(-a % b) .. ' ' .. show(a % -b) .. ' ' .. show(-a % -b) end
for round = 1, 30 do row(7.5, 2) end
for _, pair in ipairs {{1, 0.1}, {0.3, 0.1}, {6.0, 3.0}, {0.0, 2.5}, {5.5, inf}, {0.0, inf}, {inf, 2.0}, {nan, 2.0}, {2.0, nan}, {3.0, 0.0},
                       {2.0^53, 1.0}, {2.0^53 - 1, 1.0}, {2.0^53 - 0.5, 0.5}, {2.0^60 + 2.0^10, 3.0}, {1e308, 3e-300}, {5e-324, 3e-324 * 2},
                       {0x1.8p-1070, 0x1p-1074}, {0x1p-1022, 0x1.8p-1050}, {1.7976931348623157e308, 1.5}, {0x1.fffffffffffffp52, 0x1.0000000000001p0}} do
  print(row(pair[1], pair[2]))
  -- expect: 0x1.9999999999996p-4 0x1p-54 -0x1p-54 -0x1.9999999999996p-4
  -- expect: 0x1.9999999999998p-4 0x1p-55 -0x1p-55 -0x1.9999999999998p-4
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x1.6p+2 inf -inf -0x1.6p+2
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: nan nan nan nan
  -- expect: nan nan nan nan
  -- expect: nan nan nan nan
  -- expect: nan nan nan nan
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x1p+1 0x1p+0 -0x1p+0 -0x1p+1
  -- expect: 0x1.3f153025fe3b4p-996 0x1.867b9442b12a4p-997 -0x1.867b9442b12a4p-997 -0x1.3f153025fe3b4p-996
  -- expect: 0x0.0000000000001p-1022 0x0.0000000000001p-1022 -0x0.0000000000001p-1022 -0x0.0000000000001p-1022
  -- expect: 0x0p+0 -0x0p+0 0x0p+0 -0x0p+0
  -- expect: 0x0.0000001p-1022 0x0.00000008p-1022 -0x0.00000008p-1022 -0x0.0000001p-1022
  -- expect: 0x1p-1 0x1p+0 -0x1p+0 -0x1p-1
  -- expect: 0x1.8p-51 0x1.ffffffffffffcp-1 -0x1.ffffffffffffcp-1 -0x1.8p-51
end

-- Products that are an ulp or two off, by registers and by constants; math.fmod beside %.
local function digest(f)
  local sum, seed = 0, 42
  for i = 1, 1500 do
    seed = seed * 16807 % 2147483647
    local b = 0.1 + seed % 1000 / 64
    local a = b * (seed >> 8) * (1 + (seed % 5 - 2) * 0x1p-53)
    if seed % 7 == 0 then a = -a end
    if seed % 11 == 0 then b = -b end
    local r = f(a, b)
    sum = (sum * 31 + (string.unpack('i8', string.pack('d', r)) >> 3)) % 1000000007
  end
  return sum
end
print(digest(function(a, b) return a % b end))  -- expect: 686809779
print(digest(function(a, b) return math.fmod(a, b) end))  -- expect: 52553113
print(digest(function(a) return a % 1 + a % 0.1 + a % 360.0 end))  -- expect: 700382158
print(digest(function(a) return a % -1 + a % -2.5 + 7.25 % a end))  -- expect: 230083887
print(digest(function(a, b) return a // b end))  -- expect: 51928450
local x, turns = 0.25, 0
for i = 1, 500 do
  x = x + 37.5
  if x % 360 < 180 then turns = turns + 1 end
  x = x % 720
end
print(x, turns)  -- expect: 30.25	250
