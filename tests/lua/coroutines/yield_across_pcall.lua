-- Yielding inside pcall and xpcall works; errors after resume are still caught there.
local co = coroutine.create(function()
  print('pcall', pcall(function() local x = coroutine.yield(1) error('after ' .. x, 0) end))
  print('xpcall', xpcall(function(a) local x = coroutine.yield(a) error(x) end, function(m) return 'handled ' .. m end, 2))
  print('nested', pcall(pcall, pcall, function() return coroutine.yield(3) end))
  print('results', pcall(coroutine.yield, 4))
  return pcall(error, coroutine.yield(5))
end)
print(coroutine.resume(co))  -- expect: true	1
print(coroutine.resume(co, 'one'))
-- expect: pcall	false	after one
-- expect: true	2
print(coroutine.resume(co, 'two'))
-- expect: xpcall	false	handled yield_across_pcall.lua:4: two
-- expect: true	3
print(coroutine.resume(co, 'three'))
-- expect: nested	true	true	true	three
-- expect: true	4
print(coroutine.resume(co, 'four', 'five'))
-- expect: results	true	four	five
-- expect: true	5
print(coroutine.resume(co, 'six'))  -- expect: true	false	six
print(coroutine.status(co))  -- expect: dead
local deep = coroutine.wrap(function() for i = 1, 5 do pcall(function() pcall(function() coroutine.yield(i) error('x') end) error('y') end) end return 'out' end)
print(deep(), deep(), deep(), deep(), deep(), deep())  -- expect: 1	2	3	4	5	out
