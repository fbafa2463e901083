-- Functions whose callers want more results than there are, in loops that become regions: results of their own, and of library functions
-- that they call last, which are in the place of the function that was called by then.
local wrong = 0
local function expect(...)
  local count = select("#", ...) // 2
  for i = 1, count do
    local got, wanted = select(i, ...), select(i + count, ...)
    if got ~= wanted then wrong = wrong + 1 end
  end
end

local meta = { __index = { kind = "made" } }
local function make(n)
  local t = {}
  for i = 1, n do t[i] = i end
  return setmetatable(t, meta)
end
local function whole(x)
  x = x * 2
  x = x + 1
  x = x - 3
  x = x * 0.5
  if x > 1e9 then x = x - 1 end
  return math.floor(x)
end
local function kind(x)
  x = x .. ""
  if x == "" then x = x .. "a" end
  if #x > 100 then x = x:sub(1, 3) end
  return type(x)
end
local function larger(a, b)
  a = a + 1
  b = b + 1
  if a > 1e9 then a = b end
  if b > 1e9 then b = a end
  return math.max(a, b)
end
local function first(s, n)
  n = n + 0
  if n > 1000000 then n = 1 end
  if n < -1000000 then n = 1 end
  if #s < 0 then s = s .. n end
  return string.byte(s)
end
local function nothing(a)
  a = a + 1
  a = a * 2
  if a > 1e9 then a = 0 end
  if a < -1e9 then a = 0 end
  if a == 0.5 then a = 1 end
end
local function two(a, b)
  a = a + b
  b = a - b
  if a > 1e9 then a = 0 end
  if b > 1e9 then b = 0 end
  return a - b, b
end

for i = 1, 20000 do
  local t, a = make(2)
  expect(#t, a, t.kind, 2, nil, "made")
  local b, c, d = whole(i)
  expect(b, c, d, i - 1, nil, nil)
  local e, f = kind(i)
  local g, h, j, k = larger(i, 7)
  expect(e, f, g, h, j, k, "string", nil, math.max(i, 7) + 1, nil, nil, nil)
  local l, m = first("abc", i)
  local n, o, p = nothing(i)
  local q, r, s, u = two(i, 3)
  expect(l, m, n, o, p, q, r, s, u, 97, nil, nil, nil, nil, 3, i, nil, nil)
  local v = nothing(i)
  local w = two(i, 4)
  expect(v, w, nil, 4)
end

-- Results in variables that closures have captured, and in places that were something else before.
for i = 1, 3000 do
  local t, a = "old", "older"
  local function see() return t, a end
  t, a = make(3)
  local now, then_ = see()
  expect(#now, then_, now == t, 3, nil, true)
  t, a = whole(i), nothing(i)
  now, then_ = see()
  expect(now, then_, i - 1, nil)
end
print(wrong)  -- expect: 0
