-- Vararg functions called deep, with changing numbers of arguments and captured parameters.
local function sum(x, ...) if not x then return 0 end return x + sum(...) end
print(sum(1, 2, 3, 4, 5))  -- expect: 15
local function reverse(...)
  if select('#', ...) == 0 then return end
  local function tail(first, ...) local r = table.pack(reverse(...)) r.n = r.n + 1 r[r.n] = first return table.unpack(r, 1, r.n) end
  return tail(...)
end
print(reverse(1, 2, 3, 'x'))  -- expect: x	3	2	1
local function capture(a, ...) local b = ... return function() a = a + 1 return a, b end end
local c = capture(1, 'second', 'third')
c()
print(c())  -- expect: 3	second
local function many(n, ...) if n == 0 then return select('#', ...) end return many(n - 1, n, ...) end
print(many(200))  -- expect: 200
for i = 0, 4 do print(i, (function(...) local a, b, c <const> = ... return a, b, c end)(table.unpack({1, 2, 3, 4}, 1, i))) end
-- expect: 0	nil	nil	nil
-- expect: 1	1	nil	nil
-- expect: 2	1	2	nil
-- expect: 3	1	2	3
-- expect: 4	1	2	3
