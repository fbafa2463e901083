-- An integer and a float are compared as the numbers they are (manual §3.4.4): where converting either would round, with
-- constants on both sides, and with registers that change subtype.
local inf, nan = math.huge, 0.0 / 0.0
local integers = {0, 1, -1, 5000000, 4999999, 5000001, 2^53 | 0, (2^53 | 0) + 1, -(2^53 | 0) - 1, math.maxinteger, math.maxinteger - 1,
                  math.mininteger, math.mininteger + 1, math.maxinteger - 1023}
local floats = {0.0, -0.0, 0.5, -0.5, 5e6, 4999999.5, 2.0^53, 2.0^53 + 2, -2.0^53, 2.0^63, -2.0^63, 2.0^63 - 1024, 1e300, inf, -inf, nan}

local function digest(compare, a, b)
  local sum = 0
  for round = 1, 12 do
    for i = 1, #a do
      for j = 1, #b do sum = (sum * 31 + compare(a[i], b[j])) % 1000000007 end
    end
  end
  return sum
end
local function registers(x, y)
  local n = 0
  if x < y then n = n + 1 end
  if x <= y then n = n + 2 end
  if x > y then n = n + 4 end
  if x >= y then n = n + 8 end
  if x == y then n = n + 16 end
  if x ~= y then n = n + 32 end
  return n
end
print(digest(registers, integers, floats), digest(registers, floats, integers))
-- expect: 626120680	444480592
local mixed = {}
for i = 1, #integers do mixed[2 * i - 1], mixed[2 * i] = integers[i], floats[i] end
print(digest(registers, mixed, mixed))  -- expect: 343819364

local template = [[return function(x)
  local n = 0
  if x < K then n = n + 1 end
  if x <= K then n = n + 2 end
  if x > K then n = n + 4 end
  if x >= K then n = n + 8 end
  if x == K then n = n + 16 end
  if K < x then n = n + 32 end
  if not (K <= x) then n = n + 64 end
  while x < K do n = n + 128 break end
  repeat n = n + 1 until x >= K or n > 0
  return n
end]]
for _, constant in ipairs {'5e6', '5000000.5', '-0.5', '0.0', '9007199254740992.0', '9007199254740993', '0x1p63', '-0x1p63', '0x1.fffffffffffffp62',
                           '1e300', '-1e300', '9223372036854775807', '-9223372036854775807'} do
  local f = load((template:gsub('K', constant)))()
  print(constant, digest(f, integers, {1}), digest(f, floats, {1}), digest(f, mixed, {1}))
  -- expect: 5e6	540262833	233355279	775119697
  -- expect: 5000000.5	712058956	450946914	368043746
  -- expect: -0.5	562394369	540724616	154067278
  -- expect: 0.0	85419452	558992617	263625501
  -- expect: 9007199254740992.0	909213351	1409529	749589648
  -- expect: 9007199254740993	963527984	388732728	355676078
  -- expect: 0x1p63	622248253	321549346	331553966
  -- expect: -0x1p63	575588566	451506068	892443982
  -- expect: 0x1.fffffffffffffp62	877985113	487004118	176870202
  -- expect: 1e300	622248253	785741715	637844174
  -- expect: -1e300	739801899	342878813	101509308
  -- expect: 9223372036854775807	693192003	954104469	560566963
  -- expect: -9223372036854775807	561892877	931616851	907859714
end

-- Loops whose limits are floats
local function count_while(limit) local i = 0 while i < limit do i = i + 1 end return i end
local function count_repeat(limit) local i = 0 repeat i = i + 1 until i >= limit return i end
local i = 0
while i < 1e3 do i = i + 1 end
print(i, count_while(300.5), count_while(300.0), count_repeat(299.5), count_repeat(-1.5), count_while(-inf), count_while(nan))
-- expect: 1000	301	300	300	1	0	0
local j = math.maxinteger - 300
while j < 0x1p63 do j = j + 1 if j == math.maxinteger then break end end
print(j, math.type(j))  -- expect: 9223372036854775807	integer
-- What a metamethod gets is the constant that was written.
local seen = setmetatable({}, {__lt = function(a, b) return math.type(a) == 'float' or math.type(b) == 'float' end})
print(seen < 5e6, 5e6 < seen, seen < 5000000)  -- expect: true	true	false
