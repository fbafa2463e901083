-- Loops whose number of iterations can be told when they begin: limits, ends of arrays, one array read and written,
-- and arrays that turn out to be shorter, or of another kind, than they were before.
local function add(c, a, b, last)
  for i = 1, last do c[i] = a[i] + b[i] end
end

local function total(t, first, last)
  local sum = 0
  for i = first, last do sum = sum + t[i] end
  return sum
end

local function shift(t, by, first, last)
  for i = first, last do t[i + by] = t[i] + 1 end
end

local function reverse(to, from, n)
  for i = n, 1, -1 do to[n + 1 - i] = from[i] end
end

local function every(t, step, last)
  local sum = 0
  for i = 1, last, 3 do sum = sum + t[i] * step end
  return sum
end

local function largest(t, last)
  local most = t[1]
  for i = 2, last do
    if t[i] > most then most = t[i] end
  end
  return most
end

local function count_up(last)
  local sum = 0
  for i = 1, last do sum = sum + i % 7 end
  return sum
end

local function filled(n, step)
  local t = {}
  for i = 1, n do t[i] = i * step end
  return t
end

local function checksum(t)
  local sum = 0
  for i = 1, #t do sum = (sum * 31 + t[i]) % 1000003 end
  return sum
end

local sizes = { 1, 2, 31, 32, 33, 34, 35, 63, 64, 65, 100, 257, 1000 }
for round = 1, 4 do
  local digests = {}
  for index, n in ipairs(sizes) do
    local a, b, c = filled(n, 1), filled(n, 3), filled(n, 0)
    add(c, a, b, n)
    local d = filled(n, 0.5)
    add(d, d, d, n)
    local e = filled(n + 40, 2)
    shift(e, round, 1, n)       -- each reads what an earlier one wrote
    local f = filled(n + 40, 2)
    shift(f, -round, 1 + round, n)
    local g = {}
    reverse(g, c, n)
    digests[index] = checksum { checksum(c), checksum(d), checksum(e), checksum(f), checksum(g), total(a, 1, n), every(b, 2, n),
                                largest(f, n), count_up(n) } // 1 | 0
  end
  print(table.concat(digests, " "))
end

-- Floats are added in order.
local floats = filled(300, 0.1)
print(string.format("%.17g %.17g", total(floats, 1, 300), total(floats, 100, 299)))

-- The array ends before the loop does.
local short = filled(90, 1)
print(pcall(total, short, 1, 91))
print(pcall(total, short, 0, 90))
print(pcall(total, short, -5, 20))
setmetatable(short, { __index = function(_, i) return i * 1000 end })
print(total(short, 1, 95), total(short, -2, 90))

-- The array grows while it is filled, and an element is of another kind.
local growing = {}
for i = 1, 200 do growing[i] = i end
shift(growing, 10, 150, 200)
print(#growing, checksum(growing))
local mixed = filled(200, 1)
mixed[150] = 0.5
print(total(mixed, 1, 200), total(mixed, 1, 149), largest(mixed, 200))
mixed[160] = "7"
print(total(mixed, 1, 200))

-- Limits at the ends of the integers.
print(count_up(0), count_up(-1), count_up(math.mininteger))
local last = 0
for i = math.maxinteger - 100, math.maxinteger do last = i end
print(last)
for i = math.mininteger + 100, math.mininteger, -1 do last = i end
print(last)

-- Long enough for more than one look at what was asked for meanwhile.
local long = filled(150000, 1)
for _ = 1, 3 do print(total(long, 1, 150000), count_up(200000)) end

-- Collections happen, and hooks are called, while such loops run.
local calls = 0
debug.sethook(function() calls = calls + 1 end, "", 100000)
print(total(long, 1, 150000), calls > 0)
debug.sethook()
print(total(long, 1, 150000))

-- expect: 154510 667506 605881 163293 998548 28636 597249 930851 91574 465688 37269 348590 296919
-- expect: 91045 958089 638971 391136 200248 242594 127644 202295 854507 401174 884715 882239 616434
-- expect: 789682 314404 801461 965358 424180 420146 753479 526551 558728 770427 694121 475674 690188
-- expect: 981544 453970 157954 436521 454543 973081 506095 318296 619823 185784 720136 962379 830961
-- expect: 4515 3990
-- expect: false	loops_over_arrays.lua:9: attempt to perform arithmetic on a nil value (field '?')
-- expect: false	loops_over_arrays.lua:9: attempt to perform arithmetic on a nil value (field '?')
-- expect: false	loops_over_arrays.lua:9: attempt to perform arithmetic on a nil value (field '?')
-- expect: 469095	1095
-- expect: 210	146163
-- expect: 19950.5	11175	200
-- expect: 19797.5
-- expect: 0	0	0
-- expect: 9223372036854775807
-- expect: -9223372036854775808
-- expect: 11250075000	599997
-- expect: 11250075000	599997
-- expect: 11250075000	599997
-- expect: 11250075000	true
-- expect: 11250075000
