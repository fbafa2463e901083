-- A float whose value is an integer is that key (manual §2.1), read and written; other floats are keys of their own.
local function fill(n)
  local t = {}
  for i = 2, 2 * n, 2 do t[i / 2] = i end
  local sum = 0
  for x = 1.0, n do sum = sum + t[x] end
  return sum, #t, math.type(next(t)), t[n], t[n + 0.0]
end
for _ = 1, 5 do fill(60) end
print(fill(60))  -- expect: 3660	60	integer	120	120

local function halves(n)
  local t, present = {}, 0
  for i = 1, n do t[i / 2] = i end
  for i = 1, n do if t[i / 2] == i then present = present + 1 end end
  local absent = 0
  for i = -3, n do if t[i / 4] == nil then absent = absent + 1 end end
  return #t, present, absent, t[0.5], t[1], t[1.5]
end
for _ = 1, 5 do halves(80) end
print(halves(80))  -- expect: 40	80	44	1	2	3

-- Keys at which conversions end
local t = {10, 20, 30, [2^53] = 'large', [-2^63] = 'smallest', [2^63] = 'beyond', [math.huge] = 'infinite', [0] = 'zero'}
local keys = {1.0, 2.0, 3.0, 4.0, 0.0, -0.0, 2.0^53, -2.0^63, 2.0^63, math.huge, -math.huge, 0 / 0, 1.5, 2, '2'}
local function look(keys)
  local all = {}
  for round = 1, 40 do
    for i = 1, #keys do all[i] = tostring(t[keys[i]]) end
  end
  return table.concat(all, ' ')
end
print(look(keys))  -- expect: 10 20 30 nil zero zero large smallest beyond infinite nil nil nil 20 nil
local function store(key, value) t[key] = value end
for round = 1, 50 do for i = 1, 3 do store(i + 0.0, i * round) end end
print(t[1], t[2], t[3], #t)  -- expect: 50	100	150	3
print(pcall(store, 0 / 0, 1))  -- expect: false	float_keys_in_hot_loops.lua:34: table index is NaN
-- Metamethods get the float.
local log = setmetatable({}, {__index = function(_, key) return math.type(key) end, __newindex = function(s, key, v) rawset(s, key, math.type(key)) end})
local function through(object, n)
  local last
  for i = 1, n do last = object[i / 1] end
  object[n / 1] = true
  return last, object[n], next(object)
end
for i = 1, 20 do through(setmetatable({}, getmetatable(log)), 20) end
print(through(log, 50))  -- expect: float	float	50	float
-- Positions in strings
local text, sum = ('abcdefghij'):rep(5), 0
for i = 2, 100 do sum = sum + text:byte(i / 2 // 1) + #text:sub(i / 2 // 1, i // 2.0) end
print(sum, text:byte(3.0), pcall(string.byte, text, 3.5))
-- expect: 10143	99	false	bad argument #2 to 'string.byte' (number has no integer representation)
