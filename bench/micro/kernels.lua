-- What loops over arrays cost: nanoseconds for each element, kernel by kernel. Runs under every engine:
--   mangata bench/micro/kernels.lua [elements] [repetitions]
-- Ratios between two engines mean something; single figures do not.
local n = tonumber((...)) or 1000
local repetitions = tonumber((select(2, ...))) or math.floor(3e7 / n)

local function array(element)
  local its = {}
  for i = 1, n do its[i] = element(i) end
  return its
end

local a, b, c = array(function(i) return i * 0.5 end), array(function(i) return i * 0.25 + 0.125 end), array(function(i) return i + 0.5 end)
local p, q, r = array(function(i) return i end), array(function(i) return i * 3 end), array(function() return 0 end)
local flags = array(function(i) return i % 2 == 0 end)
local names = array(function(i) return "name" .. i end)

local kernels = {
  { "scale and add", function() for i = 1, n do c[i] = a[i] * 2.5 + b[i] end end },
  { "fill", function() for i = 1, n do c[i] = 0.5 end end },
  { "copy", function() for i = 1, n do c[i] = a[i] end end },
  { "copy backwards", function() for i = n, 1, -1 do c[i] = a[i] end end },
  { "three neighbours", function() for i = 2, n - 1 do c[i] = a[i - 1] + a[i] + a[i + 1] end end },
  { "square roots", function() local sqrt = math.sqrt for i = 1, n do c[i] = sqrt(a[i]) end end },
  { "add integers", function() for i = 1, n do r[i] = p[i] + q[i] end end },
  { "sum of integers", function() local sum = 0 for i = 1, n do sum = sum + p[i] end return sum end },
  { "sum by ipairs", function() local sum = 0 for _, v in ipairs(p) do sum = sum + v end return sum end },
  { "dot product", function() local sum = 0.0 for i = 1, n do sum = sum + a[i] * b[i] end return sum end },
  { "largest", function() local most = p[1] for i = 2, n do if p[i] > most then most = p[i] end end return most end },
  { "sum of the even", function() local sum = 0 for i = 1, n do if p[i] % 2 == 0 then sum = sum + p[i] end end return sum end },
  { "signs take turns", function()
    local sum, add = 0, true
    for i = 1, n do
      if add then sum = sum + i else sum = sum - i end
      add = not add
    end
    return sum
  end },
  { "count the true", function() local count = 0 for i = 1, n do if flags[i] then count = count + 1 end end return count end },
  { "find a string", function() local at = 0 for i, v in ipairs(names) do if v == "name7" then at = at + i end end return at end },
  { "a hash", function() local h = 0 for i = 1, n do h = (h * 31 + p[i]) % 1000003 end return h end },
}

for _, kernel in ipairs(kernels) do
  local name, run = kernel[1], kernel[2]
  for _ = 1, repetitions / 5 do run() end
  local started = os.clock()
  for _ = 1, repetitions do run() end
  print(string.format("%-18s%8.3f", name, (os.clock() - started) * 1e9 / repetitions / n))
end
