-- Integer keys in loops that run long enough to be compiled: kinds of elements, appends, holes, and keys that are no elements.
local function get(t, i) return t[i] end
local function set(t, i, v) t[i] = v end
local function first(t) return t[1] end
local function put_first(t, v) t[1] = v end
local function size(t) return #t end

-- The loop's elements turn from integers to floats to anything, at every position.
local total = 0
for change = 1, 12 do
  local t, model = {}, {}
  for i = 1, 12 do
    local v = i < change and i or i == change and i + 0.5 or i == change + 1 and 'text' or i == change + 2 and {} or i
    t[i] = v
    model['k' .. i] = v
    assert(#t == i)
    for j = 1, i do assert(t[j] == model['k' .. j] and math.type(t[j]) == math.type(model['k' .. j])) end
  end
  for i = 1, 12 do
    set(t, i, i * 0.5)
    assert(math.type(get(t, i)) == 'float')
    set(t, i, i)
    assert(math.type(get(t, i)) == 'integer')
    total = total + t[i]
  end
end
print(total)
-- expect: 936

-- Typed elements meet values of the other kinds; true and nil among them.
for _, v in ipairs { 7, 7.5, 'seven', true, false, print } do
  for _, start in ipairs { { 1, 2, 3 }, { 1.5, 2.5, 3.5 }, { 'a', 'b', 'c' }, {} } do
    local t = table.move(start, 1, #start, 1, {})
    set(t, #t, v)
    set(t, #start + 1, v)
    assert(get(t, #start + 1) == v and (#start == 0 or get(t, #start) == v) and size(t) == #start + 1)
    put_first(t, v)
    assert(rawequal(first(t), v))
    put_first(t, nil)
    assert(first(t) == nil)
  end
end

-- Arrays that shrink from the end and grow again; holes in the middle.
local t, count = {}, 0
for round = 1, 6 do
  for i = 1, 20 do set(t, #t + 1, round * i) end
  for i = 1, 15 do
    set(t, #t, nil)
    count = count + size(t)
  end
end
print(size(t), count)
-- expect: 30	2205
local holes = {}
for i = 1, 32 do holes[i] = i end
for i = 2, 31, 3 do set(holes, i, nil) end
local sum = 0
for i = 0, 34 do sum = sum + (get(holes, i) or 1000) end
print(sum, size(holes))
-- expect: 13373	32

-- Keys that are no elements: zero, negative, huge, floats with integer values, elements that came out of order.
local keys = { 0, -1, -100, math.mininteger, math.maxinteger, 1 << 32, (1 << 32) + 1, 2.0, 2.5, -0.0, 1e15, 2^53, 'k', true, print }
local mixed = { 10, 20, 30 }
for round = 1, 3 do
  for i, key in ipairs(keys) do
    set(mixed, key, i * round)
    assert(get(mixed, key) == i * round)
  end
  assert(mixed[2] == 8 * round and mixed[0] == 10 * round and rawequal(mixed[2], mixed[2.0]) and mixed[1 << 53] == 12 * round)
end
print(#mixed, get(mixed, 4), get(mixed, nil), get(mixed, 0/0), mixed[-2], mixed[math.mininteger])
-- expect: 3	nil	nil	nil	nil	12
local backwards = {}
for i = 40, 1, -1 do set(backwards, i, i) end
for i = 1, 40 do assert(get(backwards, i) == i) end
for i = 41, 60 do set(backwards, i, i) end
print(size(backwards), select('#', table.unpack(backwards)))
-- expect: 60	60
local ahead = {}
for i = 1, 60, 2 do set(ahead, i + 1, i + 1) set(ahead, i, i) end
print(size(ahead), table.concat(ahead, ',', 57))
-- expect: 60	57,58,59,60

-- Under metatables: holes and keys beyond the end ask, elements do not.
local asked, stored = 0, 0
local watched = setmetatable({ 1, nil, 3, 'any' }, {
  __index = function(_, k) asked = asked + 1 return k end,
  __newindex = function(table, k, v) stored = stored + 1 rawset(table, k, v) end,
})
for i = 1, 20 do assert(get(watched, i) ~= nil) end
print(asked)
-- expect: 17
for i = 1, 6 do set(watched, i, 'v' .. i) end
for i = 1, 6 do set(watched, i, i) end
print(stored, size(watched), get(watched, 6), asked)
-- expect: 3	6	6	17
local plain = setmetatable({ 1, 2 }, {})
for i = 1, 10 do set(plain, i, i) end
print(size(plain), get(plain, 11))
-- expect: 10	nil

-- A metatable arrives while the loop runs.
local late, calls = { 1, 2, 3 }, 0
for i = 1, 20 do
  if i == 8 then setmetatable(late, { __newindex = function(_, k, v) calls = calls + 1 end, __len = function() return -1 end }) end
  if i == 15 then setmetatable(late, nil) end
  late[#late + 1] = i
end
print(#late, calls, late[4], late[10], late[11])
-- expect: 16	7	1	7	15
