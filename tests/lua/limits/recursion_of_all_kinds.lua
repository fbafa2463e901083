-- Recursion through every kind of call ends in an error that can be caught, in the main program and in a coroutine.
-- not under: gc-stress (many frames to scan at each step)
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
local function varargs(n, ...) if n == 0 then return select('#', ...) end return 0 + varargs(n - 1, ...) end
local function iterated(n)
  local result = 0
  for i in function(_, control) if control == nil then return n == 0 and 1 or 1 + iterated(n - 1) end end do result = result + i end
  return result
end
local function protected(n) if n == 0 then return 0 end local ok, r = pcall(protected, n - 1) if not ok then error(r, 0) end return r + 1 end
local index = setmetatable({}, {__index = function(t, k) if k == 0 then return 0 end return t[k - 1] + 1 end,
                                __add = function(a, b) return a + b end})
local function sorted(n) table.sort({3, 2, 1}, function(a, b) if n ~= 0 then sorted(n - 1) end return a < b end) return n end
local function replaced(n) return (('x'):gsub('x', function() return n == 0 and 'y' or replaced(n - 1) end)) end
local function resumed(n) if n == 0 then return 0 end return coroutine.wrap(resumed)(n - 1) + 1 end
local function tail(n) if n == 0 then return 'done' end return tail(n - 1) end

local function message_of(f, ...)
  local ok, message = pcall(f, ...)
  return ok, (message:match('C stack overflow') or message:match('stack overflow'))
end
local function all()
  print('plain', depth(150000), message_of(depth, -1))
  print('varargs', varargs(10000, 1, 2), message_of(varargs, -1, 1, 2, 3))
  print('iterators', iterated(100), (message_of(iterated, -1)))
  print('pcall', protected(100), message_of(protected, -1))
  print('__index', index[100], message_of(function() return index[-1] end))
  print('__add', message_of(function() return index + 1 end))
  print('sort', sorted(3), message_of(sorted, -1))
  print('gsub', replaced(50), message_of(replaced, -1))
  print('wrap', resumed(100), message_of(resumed, -1))
  print('tail', tail(300000))
  local function fail(n) if n == 0 then error('deep', 0) end return 1 + fail(n - 1) end
  print('error', pcall(fail, 100000))
  print('handler', xpcall(depth, function(m) return (m:match('stack overflow')) end, -1))
end
for _ = 1, 2 do all() end
coroutine.wrap(all)()
-- expect: plain	150000	false	stack overflow
-- expect: varargs	2	false	stack overflow
-- expect: iterators	101	false
-- expect: pcall	100	false	C stack overflow
-- expect: __index	100	false	C stack overflow
-- expect: __add	false	C stack overflow
-- expect: sort	3	false	C stack overflow
-- expect: gsub	y	false	C stack overflow
-- expect: wrap	100	false	C stack overflow
-- expect: tail	done
-- expect: error	false	deep
-- expect: handler	false	stack overflow
-- expect: plain	150000	false	stack overflow
-- expect: varargs	2	false	stack overflow
-- expect: iterators	101	false
-- expect: pcall	100	false	C stack overflow
-- expect: __index	100	false	C stack overflow
-- expect: __add	false	C stack overflow
-- expect: sort	3	false	C stack overflow
-- expect: gsub	y	false	C stack overflow
-- expect: wrap	100	false	C stack overflow
-- expect: tail	done
-- expect: error	false	deep
-- expect: handler	false	stack overflow
-- expect: plain	150000	false	stack overflow
-- expect: varargs	2	false	stack overflow
-- expect: iterators	101	false
-- expect: pcall	100	false	C stack overflow
-- expect: __index	100	false	C stack overflow
-- expect: __add	false	C stack overflow
-- expect: sort	3	false	C stack overflow
-- expect: gsub	y	false	C stack overflow
-- expect: wrap	100	false	C stack overflow
-- expect: tail	done
-- expect: error	false	deep
-- expect: handler	false	stack overflow
