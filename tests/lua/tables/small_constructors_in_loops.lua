-- Constructors of up to five values, of every combination of types, nil among them, against stores one by one.
local values = { nil, false, 7, 2.5, 'text', {}, print, -0.0 }
local value_count = 8
local makers = {
  function(a) return { a } end,
  function(a, b) return { a, b } end,
  function(a, b, c) return { a, b, c } end,
  function(a, b, c, d) return { a, b, c, d } end,
  function(a, b, c, d, e) return { a, b, c, d, e } end,
}
local checked = 0
local function check(count, ...)
  local made = makers[count](...)
  local length = 0
  for i = 1, count do
    local v = (select(i, ...))
    assert(rawequal(made[i], v) and math.type(made[i]) == math.type(v))
    if v ~= nil then length = i end
  end
  local border = #made
  assert((border == 0 or made[border] ~= nil) and made[border + 1] == nil and made[count + 1] == nil)
  -- It is a table like any other.
  made[length + 1] = 'more'
  made[1] = 1.5
  made.name = count
  assert(made[1] == 1.5 and (length == 0 or made[length + 1] == 'more') and made.name == count)
  checked = checked + 1
end
local picked = {}
local function combine(count, i)
  if i > count then return check(count, table.unpack(picked, 1, count)) end
  for v = 1, count < 5 and value_count or 3 do
    picked[i] = values[v]
    combine(count, i + 1)
  end
end
for count = 1, 5 do combine(count, 1) end
print(checked)
-- expect: 4923

-- With fields before and after the list, and keys that the list overwrites.
local function mixed(a, b) return { x = a, a, [1] = 'lost', [2] = 'lost', [3] = 'kept', b, y = b } end
for i = 1, 20 do
  local t = mixed(i, i * 2)
  assert(t[1] == i and t[2] == i * 2 and t[3] == 'kept' and t.x == i and t.y == i * 2)
end
-- Nested lists, made while the collector works, hold what they were given.
local list = {}
for i = 1, 5000 do
  list = { i, { i, { tostring(i), i + 0.5 } }, i % 100 ~= 1 and list or nil }
end
local depth, sum = 0, 0
while list do
  assert(list[2][1] == list[1] and list[2][2][1] == tostring(list[1]) and list[2][2][2] == list[1] + 0.5)
  depth, sum, list = depth + 1, sum + list[1], list[3]
end
print(depth, sum)
-- expect: 100	495050
