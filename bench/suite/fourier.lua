-- group: numeric
-- A fast Fourier transform there and back again, on two flat float arrays.
local scale = tonumber((...)) or 1
local floor = math.floor

--- In place, radix two. `sign` is -1 forward and +1 back (without the division by the size).
local function transform(re, im, size, sign)
  local j = 1
  for i = 1, size - 1 do
    if i < j then
      re[i], re[j] = re[j], re[i]
      im[i], im[j] = im[j], im[i]
    end
    local bit = floor(size / 2)
    while bit >= 1 and j > bit do
      j = j - bit
      bit = floor(bit / 2)
    end
    j = j + bit
  end
  local span = 1
  while span < size do
    local angle = sign * math.pi / span
    for offset = 1, span do
      local wr, wi = math.cos(angle * (offset - 1)), math.sin(angle * (offset - 1))
      for low = offset, size, 2 * span do
        local high = low + span
        local tr = wr * re[high] - wi * im[high]
        local ti = wr * im[high] + wi * re[high]
        re[high], im[high] = re[low] - tr, im[low] - ti
        re[low], im[low] = re[low] + tr, im[low] + ti
      end
    end
    span = span * 2
  end
end

local size = 4096
local function round_trip_error()
  local re, im = {}, {}
  for i = 1, size do re[i], im[i] = (i * 37 % 101) / 101, 0.0 end
  transform(re, im, size, -1)
  transform(re, im, size, 1)
  local worst = 0.0
  for i = 1, size do worst = math.max(worst, math.abs(re[i] / size - (i * 37 % 101) / 101)) end
  return worst
end

for _ = 1, math.max(1, math.floor(180 * scale)) do
  assert(round_trip_error() < 1e-12)
end
