-- Floats that are integers, as keys and as positions in strings, at sites that run often; then such that are none, or too large.
local N = 400
local array = {}
for i = 1, N do array[i] = i end

local function sum_halves(n)
  local sum = 0
  for i = 2, n, 2 do sum = sum + array[i / 2] end
  return sum
end
for _ = 1, 20 do sum_halves(N) end
print(sum_halves(N))                           -- expect: 20100

local function binary_search(wanted)
  local low, high, steps = 1, N, 0
  while low <= high do
    local middle = (low + high) / 2
    middle = middle - middle % 1
    local found = array[middle]
    steps = steps + 1
    if found == wanted then return middle, steps end
    if found < wanted then low = middle + 1 else high = middle - 1 end
  end
end
local total = 0
for i = 1, N do total = total + binary_search(i) end
print(total, binary_search(77))                -- expect: 80200.0	77.0	9

local function store(n, divisor)
  local t = {}
  for i = 1, n do t[i / divisor] = i end
  return t
end
for _ = 1, 20 do store(100, 1) end
local whole = store(100, 1)
print(#whole, math.type(next(whole)), whole[50], whole[50.0])   -- expect: 100	integer	50	50
local quarters = store(100, 4)
print(quarters[25], quarters[0.25], quarters[24.75], #quarters)   -- expect: 100	1	99	25

local function read(t, key, n)
  local last
  for _ = 1, n do last = t[key] end
  return last
end
for _ = 1, 20 do read(array, 3.0, 20) end
local special = { [2^53] = "2^53", [0.5] = "half", [math.mininteger] = "least", [math.maxinteger] = "most" }
local found = {}
for _, key in ipairs { 3.0, 3.5, -0.0, 2.0^53, -2.0^63, 2.0^63, 1e300, 1 / 0, 0 / 0, 0.5 } do
  found[#found + 1] = tostring(read(array, key, 30)) .. " " .. tostring(read(special, key, 30))
end
print(table.concat(found, "; "))   -- expect: 3 nil; nil nil; nil nil; nil 2^53; nil least; nil nil; nil nil; nil nil; nil nil; nil half

local text = "abcdefghij"
local function bytes(step, n)
  local sum = 0
  for i = 1, n do sum = sum + (text:byte(i * step / 2) or 0) end
  return sum
end
for _ = 1, 30 do bytes(2, 10) end
print(bytes(2, 10), bytes(2, 12), (select(2, pcall(bytes, 1, 3)):match(": (.*)")))   -- expect: 1015	1015	bad argument #1 to 'byte' (number has no integer representation)
