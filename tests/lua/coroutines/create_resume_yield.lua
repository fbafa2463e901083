-- The basic exchange of values (manual 2.6, 6.2).
local co = coroutine.create(function(a, b)
  print('start', a, b)
  local c = coroutine.yield(a + b)
  print('then', c)
  local d, e = coroutine.yield(c * 2, 'extra')
  print('last', d, e)
  return 'end', nil
end)
print(coroutine.status(co), coroutine.resume(co, 1, 2))
-- expect: start	1	2
-- expect: suspended	true	3
print(coroutine.status(co), coroutine.resume(co, 10))
-- expect: then	10
-- expect: suspended	true	20	extra
print(coroutine.status(co), coroutine.resume(co, 'x', 'y'))
-- expect: last	x	y
-- expect: suspended	true	end	nil
print(coroutine.status(co), coroutine.resume(co))  -- expect: dead	false	cannot resume dead coroutine
print(coroutine.resume(coroutine.create(function() end)))  -- expect: true
print(coroutine.resume(coroutine.create(function(...) return select('#', ...), ... end), nil, nil))
-- expect: true	2	nil	nil
print(pcall(coroutine.resume, 1))
-- expect: false	bad argument #1 to 'coroutine.resume' (thread expected, got number)
print(pcall(coroutine.create, 1))
-- expect: false	bad argument #1 to 'coroutine.create' (function expected, got number)
print(pcall(coroutine.create))
-- expect: false	bad argument #1 to 'coroutine.create' (function expected, got no value)
