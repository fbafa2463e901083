-- Recursion, mutual recursion, tail calls, varargs, methods, nested closures, reloading of the same chunk.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
fib(12)
local is_odd
local function is_even(n) if n == 0 then return true end return is_odd(n - 1) end
function is_odd(n) if n == 0 then return false end return is_even(n - 1) end
is_even(101)
local function sum(...)
  local total = 0
  for i = 1, select('#', ...) do total = total + (select(i, ...)) end
  if total > 10 then return ... end
  return total
end
sum() sum(1) sum(1, 2, 3) sum(5, 6, 7)
local function vararg_tail(...) if ... then return sum(...) end return select('#', ...) end
vararg_tail() vararg_tail(nil) vararg_tail(1, 2)
local function counters()
  local list = {}
  for i = 1, 5 do list[i] = function(d) if d then i = i + d end return i end end
  return list
end
for _, counter in ipairs(counters()) do counter() counter(2) end
for i = 1, 20 do load('local n = ... if n > 3 then return n end while n < 3 do n = n + 1 end')(i % 5) end
for i = 1, 5 do load('return ' .. i .. ' and ...')(i) end
local object = setmetatable({}, { __call = function(self, n) if n > 0 then return self(n - 1) end return n end })
object(5)
local function branches(a, b, c)
  local x = a and b or c
  local y = not a and (b or c) and 1 or 2
  local z = a == b or a ~= c and b ~= nil
  if not (a and b) or c then x = 1 elseif a then x = 2 else x = 3 end
  return x, y, z
end
for _, a in ipairs { true, false } do
  for _, b in ipairs { 1, false } do for _, c in ipairs { true, false } do branches(a, b, c) end end
end
for i = 3, 1 do branches() end
for x = 1.0, 2.0, 0.25 do branches(x) end
for k, v in pairs { a = 1, 2, 3 } do branches(k, v) end
local function hooked(n) for i = 1, n do if i % 2 == 0 then n = n + 0 end end end
debug.sethook(function() local x = 0 for i = 1, 2 do x = x + i end end, 'crl', 3)
hooked(10)
pcall(function() hooked(3) error('in a hooked function') end)
local calls = 0
debug.sethook(function() calls = calls + 1 if calls == 2 then error('from a hook') end end, 'c')
pcall(hooked, 3)
debug.sethook(function() error('from a return hook') end, 'r')
pcall(hooked, 3)
debug.sethook()
