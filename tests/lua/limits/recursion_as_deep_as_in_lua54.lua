-- Only values count for the limit of stacks, a million, and not what a frame takes besides them: as many frames fit as in Lua 5.4, give
-- or take 0.1 %.
-- not under: gc-stress (many frames to scan at each step)
-- long under: profiled (interpreter, baseline, adaptive, a schedule and resume have all its frames)
-- long under: baseline-profiled (interpreter, baseline, adaptive, a schedule and resume have all its frames)
-- long under: counter (interpreter, baseline, adaptive, a schedule and resume have all its frames)
-- long under: profile-1 (interpreter, baseline, adaptive, a schedule and resume have all its frames)
-- long under: profile-2 (interpreter, baseline, adaptive, a schedule and resume have all its frames)
local frames
local function plain(n) frames = frames + 1 return 1 + plain(n + 1) end
local function least() frames = frames + 1 return (least()) end
local function varargs(...) frames = frames + 1 return (varargs(...)) end
local function large(n)
  frames = frames + 1
  local a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u = n
  return large(b), a
end
local function depth(f, ...)
  frames = 0
  local ok, message = pcall(f, ...)
  return (frames + 500) // 1000, ok, message:match('stack overflow')
end
print('plain', depth(plain, 1))  -- expect: plain	500	false	stack overflow
print('least', depth(least))  -- expect: least	1000	false	stack overflow
print('varargs', depth(varargs, 1, 2, 3))  -- expect: varargs	200	false	stack overflow
print('large', depth(large, 1))  -- expect: large	45	false	stack overflow
print('coroutine', coroutine.wrap(depth)(plain, 1))  -- expect: coroutine	500	false	stack overflow
-- Values have not become more by it, and what was allowed for headers does not stay.
print((select(2, pcall(table.unpack, {}, 1, 1000000))))  -- expect: too many results to unpack
print(select('#', table.unpack({}, 1, 990000)))  -- expect: 990000
-- Deep frames return, are unwound, and closed; there is room for handlers.
local function sum(n) if n == 0 then return 0 end return 1 + sum(n - 1) end
print(sum(490000), pcall(sum, 510000))
-- expect: 490000	false	recursion_as_deep_as_in_lua54.lua:32: stack overflow
local function fail(n) if n == 0 then error('deep', 0) end return 1 + fail(n - 1) end
print(pcall(fail, 490000))  -- expect: false	deep
print(xpcall(sum, function(m) return #debug.traceback(m) > 500 and sum(10) end, -1))  -- expect: false	10
print(xpcall(sum, function(m) return sum(-1) end, -1))  -- expect: false	error in error handling
local closed = 0
local function closing(n)
  local c <close> = setmetatable({}, {__close = function() closed = closed + 1 end})
  if n > 0 then return 1 + closing(n - 1) end
  return sum(-1)
end
print(pcall(closing, 100), closed)  -- expect: false	101
print((depth(plain, 1)))  -- expect: 500
