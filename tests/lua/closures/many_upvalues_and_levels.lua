-- Upvalues through many levels of functions, assigned from the innermost.
local a, b, c = 1, 2, 3
local function l1() return function() return function() return function() a = a + b + c return a end end end end
print(l1()()()(), l1()()()(), a)  -- expect: 6	11	11
local function compose(...)
  local fs = {...}
  return function(x) for i = #fs, 1, -1 do x = fs[i](x) end return x end
end
print(compose(function(x) return x + 1 end, function(x) return x * 2 end)(5))  -- expect: 11
local function curry(n, f, ...)
  local args = table.pack(...)
  if n == 0 then return f(...) end
  return function(x) args[args.n + 1] = x return curry(n - 1, f, table.unpack(args, 1, args.n + 1)) end
end
print(curry(3, function(x, y, z) return x .. y .. z end)('a')('b')('c'))  -- expect: abc
local source = {'local v0 = 0\n'}
for i = 1, 100 do source[#source + 1] = ('local v%d = v%d + 1\n'):format(i, i - 1) end
source[#source + 1] = 'return function() return v0 + v50 + v100 end'
print(load(table.concat(source))()())  -- expect: 150
