-- Calls that leave all their results, mostly as many, and comparisons by metamethods or of types that come late; loops that run late.
local s = 0
local function many(i) if i % 97 == 0 then return i, 1, 2 elseif i % 89 == 0 then return end return i end
local function sum(...) local n = select('#', ...) return n end
local function two(a, b) return (a or 0) + (b or 0) end
local concat = {}
for i = 1, 3000 do
  s = s + two(many(i))
  s = s + #tostring(tostring(i))
  s = s + tonumber(('%d'):format(i))
  s = s + sum(i, many(i))
  local t = {many(i)}
  s = s + #t
  s = s + math.max(i, many(i + 1) or 0)
end
print(s)  -- expect: 13477515
local V = {}
V.__index = V
V.__lt = function(a, b) return a.n < b.n end
V.__le = function(a, b) return a.n <= b.n end
V.__eq = function(a, b) return a.n == b.n end
local function new(n) return setmetatable({n = n}, V) end
local c = 0
for i = 1, 3000 do
  local a, b = new(i % 7), new(i % 5)
  if a < b then c = c + 1 end
  if a <= b then c = c + 10 end
  if a == b then c = c + 100 end
  if a ~= (i % 50 == 0 and a or b) then c = c + 1000 end
  local x = i % 300 == 0 and "s" or i
  if x == "s" then c = c + 3 end
  if x ~= i then c = c + 5 end
end
print(c)  -- expect: 2575708
local function va(...)
  local r = 0
  for i = 1, 200 do r = r + two(...) + select('#', ...) + #{...} end
  return r
end
local r = 0
for i = 1, 20 do r = r + va(i, i) + va(i) + va() + va(1, 2, 3) end
print(r)  -- expect: 186000
local function inner(k, n) local q = 0 for j = 1, n do q = q + j * k end for _, v in ipairs(n > 3 and {1, 2} or {}) do q = q + v end return q end
local q = 0
for i = 1, 6000 do q = q + inner(i, i > 3000 and i % 5 or 0) end
print(q)  -- expect: 54010800

-- A function whose last act is a call of a library function, where all its results are wanted.
local function last(i) return string.byte('abc', i % 4) end
local function name(i) return tostring(i) end
local function forward(...) return math.max(...) end
local function biggest(a, i) return math.max(a, many(i)) end
local w = 0
for i = 1, 3000 do
  w = w + two(last(i)) + #{last(i)} + two(biggest(3, i + i % 89 == 0 and 1 or i))
  w = w + tonumber(name(i)) + #string.rep(name(i), 2) + forward(i, 2)
end
print(w)  -- expect: 13699210
