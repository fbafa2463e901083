-- Permutations, tree walks and pipelines by coroutines.
local function permute(a, n) n = n or #a if n <= 1 then coroutine.yield(a) else for i = 1, n do a[n], a[i] = a[i], a[n] permute(a, n - 1) a[n], a[i] = a[i], a[n] end end end
for p in coroutine.wrap(function() permute{1, 2, 3} end) do io.write(table.concat(p), ' ') end
print()  -- expect: 231 321 312 132 213 123
local function walk(t) if t then walk(t[1]) coroutine.yield(t[2]) walk(t[3]) end end
for v in coroutine.wrap(walk), {{nil, 1}, 2, {nil, 3, {nil, 4}}} do io.write(v, ' ') end
print()  -- expect: 1 2 3 4
local function naturals() return coroutine.wrap(function() local n = 1 while true do coroutine.yield(n) n = n + 1 end end) end
local function filter(p, g) return coroutine.wrap(function() for x in g do if p(x) then coroutine.yield(x) end end end) end
local function take(n, g) return coroutine.wrap(function() for _ = 1, n do coroutine.yield(g()) end end) end
for x in take(5, filter(function(x) return x % 7 == 0 end, naturals())) do io.write(x, ' ') end
print()  -- expect: 7 14 21 28 35
local function sieve(n) local g = coroutine.wrap(function() for i = 2, n do coroutine.yield(i) end end)
  return coroutine.wrap(function() while true do local p = g() if not p then return end coroutine.yield(p) local h = g
    g = coroutine.wrap(function() for x in h do if x % p ~= 0 then coroutine.yield(x) end end end) end end) end
for p in sieve(40) do io.write(p, ' ') end
print()  -- expect: 2 3 5 7 11 13 17 19 23 29 31 37
