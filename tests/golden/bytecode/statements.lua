-- Loops, goto, closures, calls, variables to be closed, multiple assignment.
local function loops(n)
  for i = 1, n do print(i) end
  for i = n, 1, -1.5 do if i < 3 then break end end
  for k, v in pairs(n) do n[k] = v end
  while n do if n.done then break end n = n.next end
  repeat local last = n; n = n - 1 until last == 0
end
local function jumps(n)
  ::top::
  if n > 0 then n = n - 1 goto top elseif n == 0 then goto done end
  do local captured = n; keep = function() captured = captured + 1 return captured end goto done end
  ::done:: return n
end
local function calls(object, ...)
  object:method(1, ...)
  print(object.f(), object[1](...))
  local x <close> = object
  x.y, x.z = 1, object.pair()
  do return (calls(object)) end
  return calls(object, ...)
end
return calls(loops, jumps)
