-- The iterator of a generic for may yield; so may its closing value.
local co = coroutine.wrap(function()
  for i in function(_, i) coroutine.yield('iter') i = (i or 0) + 1 if i <= 2 then return i end end do coroutine.yield(i) end
  local guard = setmetatable({}, {__close = function() coroutine.yield('closing') end})
  for _ in next, {1}, nil, guard do coroutine.yield('body') end
  return 'end'
end)
for _ = 1, 8 do io.write(tostring(co()), ' ') end
print()  -- expect: iter 1 iter 2 iter body closing end
