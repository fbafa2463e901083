-- A small function that is inlined ends in a call of one that is not; its caller wants more results than it has registers itself.
local function several(n)
  local list = {}
  for i = 1, 12 do list[i] = n * i end
  return table.unpack(list)
end
local function descending(n)
  local list = {}
  for i = 1, 12 do list[i] = n - i end
  return table.unpack(list)
end
local function few(n) return n, "second" end
local kinds = { several, descending, several, few }
local function pass(f, n) return f(n) end
local function relay(f, n, ...) return f(n, ...) end

local function run(call, rounds)
  local sum, absent, label = 0, 0, nil
  for i = 1, rounds do
    local point = { x = i, y = -i }
    local a, b, c, d, e, f, g, h, j, k, l, m = call(kinds[i % 4 + 1], i)
    if m then sum = sum + a + b * 2 + c + d + e + f + g + h + j + k + l + m * 3 else absent, label = absent + 1, b end
    sum = sum + point.x + point.y
  end
  return sum, absent, label
end
print(run(pass, 4000))  -- expect: 446089000	1000	second
print(run(relay, 4000))  -- expect: 446089000	1000	second

-- With more arguments than the caller has registers.
local function count(...) return select("#", ...), (select(-1, ...)) end
local function spread(f, n) return f(n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, n + 1) end
local total = 0
for i = 1, 4000 do
  local n, last = spread(i % 3 == 0 and count or few, i)
  total = total + n + (last == "second" and 1 or last)
end
print(total)  -- expect: 8021996
