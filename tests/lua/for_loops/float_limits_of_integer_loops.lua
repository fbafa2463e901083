-- A loop over integers whose limit is a float stops at the last integer before it (manual §3.3.5).
local inf, nan = math.huge, 0.0 / 0.0
local limits = {5 / 2, 4 / 2, -0.5, 0.0, -0.0, 10.999, 1e3 / 10, -3.5, nan, -inf}
local function up(limit, n) for i = 1, limit do n = n + i end return n end
local function from(first, limit) local n = 0 for i = first, limit, 3 do n = n * 2 % 1000003 + i end return n end
local function down(first, limit) local n = 0 for i = first, limit, -1 do n = n * 2 % 1000003 + i if i < -20 then break end end return n end
local function digest(f, ...)
  local sum = 0
  for round = 1, 20 do
    for i = 1, #limits do sum = (sum * 31 + f(...)) % 1000000007 end
    for i = 1, #limits do sum = (sum * 31 + f(i, limits[i])) % 1000000007 end
  end
  return sum
end
print(digest(function(limit) return up(limit, 0) end, 7.5), digest(from, 1, 9.0), digest(down, 5, 0.5))
-- expect: 22782843	965497931	47295544
local function nested(n)
  local sum = 0
  for i = 1, n do
    for j = 1, i / 2 do sum = sum + j end
    for j = i / 4 // 1 | 0, n / 8, 2 do sum = sum + j end
  end
  return sum
end
for _ = 1, 4 do nested(40) end
print(nested(40))  -- expect: 3016
-- Beyond the integers
local function first_of(first, limit, step)
  local n, last = 0, nil
  if step > 0 then
    for i = first, limit do n, last = n + 1, i if n == 3 then break end end
  else
    for i = first, limit, -1 do n, last = n + 1, i if n == 3 then break end end
  end
  return n, last
end
for _ = 1, 60 do first_of(1, inf, 1) first_of(1, -inf, -1) first_of(1, 2.5, 1) end
for _, limit in ipairs {inf, -inf, nan, 2.0^63, -2.0^63, 1e300, -1e300} do
  print(limit == limit and limit or 'nan', first_of(1, limit, 1))  -- expect: inf	3	3
  print('', first_of(math.mininteger, limit, 1))  -- expect: 	3	-9223372036854775806
  print('', first_of(math.maxinteger, limit, 1))  -- expect: 	1	9223372036854775807
  print('', first_of(-1, limit, -1))  -- expect: 	0	nil
  print('', first_of(math.mininteger, limit, -1))  -- expect: 	0	nil
  print('', first_of(math.maxinteger, limit, -1))
  -- expect: 	0	nil
  -- expect: -inf	0	nil
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: 	3	-3
  -- expect: 	1	-9223372036854775808
  -- expect: 	3	9223372036854775805
  -- expect: nan	0	nil
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: 	3	-3
  -- expect: 	1	-9223372036854775808
  -- expect: 	3	9223372036854775805
  -- expect: 9.2233720368548e+18	3	3
  -- expect: 	3	-9223372036854775806
  -- expect: 	1	9223372036854775807
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: -9.2233720368548e+18	0	nil
  -- expect: 	1	-9223372036854775808
  -- expect: 	0	nil
  -- expect: 	3	-3
  -- expect: 	1	-9223372036854775808
  -- expect: 	3	9223372036854775805
  -- expect: 1e+300	3	3
  -- expect: 	3	-9223372036854775806
  -- expect: 	1	9223372036854775807
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: -1e+300	0	nil
  -- expect: 	0	nil
  -- expect: 	0	nil
  -- expect: 	3	-3
  -- expect: 	1	-9223372036854775808
  -- expect: 	3	9223372036854775805
end
-- Loops over floats
local function floats(first, limit, step) local n, sum = 0, 0 for x = first, limit, step do n, sum = n + 1, sum + x end return n, sum end
for _ = 1, 20 do floats(0, 10, 0.5) floats(1.0, -3, -0.25) end
print(floats(0, 10, 0.5)) print(floats(1.0, -3, -0.25)) print(floats(1, 3.5, 1.0)) print(floats(1.0, 0, 1)) print(floats(0.0, nan, 1))
-- expect: 21	105.0
-- expect: 17	-17.0
-- expect: 3	6.0
-- expect: 0	0
-- expect: 1	0.0
for x = 1.0, 3 do local y = x x = 'changed' io.write(y, x, ' ') end print()
-- expect: 1changed 2changed 3changed
print(pcall(floats, 1, 2, 0), pcall(floats, 1.0, 2, 0))
-- expect: false	false	float_limits_of_integer_loops.lua:84: 'for' step is zero
