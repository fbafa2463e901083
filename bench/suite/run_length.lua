-- group: branchy
-- Run-length coding there and back: long runs repeat one path of the loop, then one iteration breaks the
-- rhythm.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function make_signal(length)
  local signal, seed, value, left = {}, 5, 0, 0
  for i = 1, length do
    if left == 0 then
      seed = seed * 16807 % 2147483647
      value = seed % 4
      left = seed % 19 < 12 and seed % 23 + 4 or 1
    end
    signal[i] = value
    left = left - 1
  end
  return signal
end

--- Runs of at least three become {-length, value}; everything else is kept as it is.
local function compress(signal)
  local out, size, i, length = {}, 0, 1, #signal
  while i <= length do
    local value, run = signal[i], 1
    while i + run <= length and signal[i + run] == value and run < 127 do run = run + 1 end
    if run >= 3 then
      out[size + 1], out[size + 2] = -run, value
      size = size + 2
    else
      for _ = 1, run do
        size = size + 1
        out[size] = value
      end
    end
    i = i + run
  end
  return out
end

local function expand(packed)
  local out, size, i = {}, 0, 1
  while i <= #packed do
    local head = packed[i]
    if head < 0 then
      local value = packed[i + 1]
      for j = size + 1, size - head do out[j] = value end
      size = size - head
      i = i + 2
    else
      size = size + 1
      out[size] = head
      i = i + 1
    end
  end
  return out
end

local signal = make_signal(train and 500 or 20000)

for _ = 1, math.max(1, math.floor(1100 * scale)) do
  local packed = compress(signal)
  assert(#packed == (train and 74 or 2577))
  local again = expand(packed)
  assert(#again == #signal)
  for i = 1, #signal, 97 do assert(again[i] == signal[i]) end
end
