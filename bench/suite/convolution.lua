-- group: branchy
-- A picture is smoothed by a kernel of 3 by 3. Its two inner loops are so short that entering and leaving them
-- costs more than their bodies; how often they run, the code does not say: the size is a parameter.
local scale = tonumber((...)) or 1

local function convolve(image, kernel, out, width, height, size)
  for y = 1, height - size + 1 do
    for x = 1, width - size + 1 do
      local sum = 0
      for j = 0, size - 1 do
        for i = 0, size - 1 do
          sum = sum + image[(y + j - 1) * width + x + i] * kernel[j * size + i + 1]
        end
      end
      out[(y - 1) * width + x] = sum
    end
  end
end

local width, height = 96, 64
local kernel = { 1, 2, 1, 2, 4, 2, 1, 2, 1 }
local image, out = {}, {}
for i = 1, width * height do
  image[i] = i * 7919 % 256
  out[i] = 0
end

for _ = 1, math.max(1, math.floor(55 * scale)) do
  convolve(image, kernel, out, width, height, 3)
  local checksum = 0
  for i = 1, #out do checksum = (checksum * 31 + out[i]) % 1000003 end
  assert(checksum == 360394)
end
