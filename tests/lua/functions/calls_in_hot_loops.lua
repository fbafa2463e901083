-- Numbers of arguments and results of all kinds of functions, in loops that become compiled code.
local function none() end
local function one(a) return a end
local function two(a, b) return a, b end
local function three(a, b, c) return c, b, a end
local function eight(a) a = a or 0 return a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7 end
local function none_of(...) return end
local function one_of(...) local a = ... return a end
local function two_of(x, ...) local a, b = ... return b, x end
local function three_of(x, y, ...) local a, b, c = ... return c, y, x end
local function all_of(...) return ... end
local function after(x, ...) return ... end
local function count_of(...) return select('#', ...) end
local function parenthesised(...) return (...) end
local functions = {none, one, two, three, eight, none_of, one_of, two_of, three_of, all_of, after, count_of, parenthesised}

local function digest(sum, ...)
  for i = 1, select('#', ...) do sum = (sum * 31 + (select(i, ...) or 77)) % 1000003 end
  return (sum * 31 + select('#', ...)) % 1000003
end
local function tail(f, ...) return f(...) end
local function tail_two(f, a, b) return f(a, b) end
local function tail_from_vararg(f, ...) local a, b = ... return f(a, b) end
local function tail_of_more(f, a) return f(a, a, a, a) end

local function exercise(f, sum, i)
  f(i)
  f()
  local a = f(i, 2)
  local b, c = f(i, 3, 4)
  local d, e, g, h = f(i, 5, 6, 7)
  sum = digest(sum, a, b, c, d, e, g, h)
  sum = digest(sum, f())
  sum = digest(sum, f(i))
  sum = digest(sum, (f(i, 1, 2)))
  sum = digest(sum, i, f(i, 1, 2, 3, 4, 5, 6, 7, 8, 9))
  sum = digest(sum, f(f(i, 8)))
  sum = digest(sum, all_of(f(f(f(i, 1, 2)))))
  sum = digest(sum, tail(f, i, 2, 3))
  sum = digest(sum, tail_two(f, i, 9))
  sum = digest(sum, tail_from_vararg(f, i, 9, 8))
  sum = digest(sum, tail_of_more(f, i))
  local list = {f(i, 2, 3)}
  sum = digest(sum, #list, list[1], list[2])
  for x, y in f, i, nil do
    sum = digest(sum, x, y)
    if type(y) == 'number' and y > 0 or sum % 5 == 0 then break end
    f = none
  end
  return sum
end
for k, f in ipairs(functions) do
  local sum = 0
  for i = 1, 200 do sum = exercise(f, sum, i) end
  print(k, sum)
end

-- Tail calls do not use up the stack, whatever the number of arguments, and see open upvalues closed.
local function loop(n, ...) if n == 0 then return select('#', ...) end return loop(n - 1, n, ...) end
print(loop(100))
local function rotate(n, a, b, c) if n == 0 then return a, b, c end return rotate(n - 1, b, c, a) end
print(rotate(1000000, 1, 2, 3))
local function grow(n, a, b, c, d) if n == 0 then return a, b, c, d end return grow(n - 1, n, a, b) end
print(grow(100000))
local kept = {}
local function capture(n) local x = n kept[n] = function() x = x + 1 return x end if n == 1 then return kept[1]() end return capture(n - 1) end
print(capture(100), kept[50](), kept[50](), kept[100]())

-- Functions that are defined again while the loop runs.
local floor = math.floor
local total = 0
for i = 1, 300 do
  if i == 100 then floor = function(x) return x * 1000 end end
  if i == 150 then floor = setmetatable({}, {__call = function(self, x) return x + 0.5 end}) end
  if i == 200 then floor = math.ceil end
  if i == 250 then floor = 5 end
  local ok, value = pcall(function() return floor(i + 0.5) end)
  total = total + (ok and value or 1)
end
print(total)
-- expect: 1	681222
-- expect: 2	336530
-- expect: 3	371665
-- expect: 4	32215
-- expect: 5	639366
-- expect: 6	681222
-- expect: 7	336530
-- expect: 8	835305
-- expect: 9	172108
-- expect: 10	852703
-- expect: 11	579562
-- expect: 12	330295
-- expect: 13	336530
-- expect: 100
-- expect: 2	3	1
-- expect: 1	2	3	nil
-- expect: 2	51	52	101
-- expect: 6275051.0
