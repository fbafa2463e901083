-- getlocal and setlocal: names, varargs, temporaries, parameters of a function, other coroutines.
local function f(a, b, ...)
  local c = 3
  do local inner = 4 end
  local d <const> = nil
  for i = 1, 8 do
    local name, value = debug.getlocal(1, i)
    if not name or name:sub(1, 1) == '(' then break end
    io.write(tostring(name), '=', tostring(value), ' ')
  end
  print(debug.getlocal(1, -1))
  print(debug.getlocal(1, -2))
  print(debug.getlocal(1, -3))
  print(debug.setlocal(1, 1, 'changed'), debug.setlocal(1, 3, 33), debug.setlocal(1, -1, 'new vararg'), debug.setlocal(1, 100, 'x'))
  print(a, b, c, ...)
end
f(1, 2, 'v1', 'v2')
-- expect: a=1 b=2 c=3 (vararg)	v1
-- expect: (vararg)	v2
-- expect: nil
-- expect: a	c	(vararg)	nil
-- expect: changed	2	33	new vararg	v2
print(debug.getlocal(f, 1), debug.getlocal(f, 2), debug.getlocal(f, 3))  -- expect: a	b	nil
print(pcall(debug.getlocal, 100, 1))
-- expect: false	bad argument #1 to 'debug.getlocal' (level out of range)
print(pcall(debug.setlocal, 100, 1, 1))
-- expect: false	bad argument #1 to 'debug.setlocal' (level out of range)
print(pcall(debug.getlocal, 1))
-- expect: false	bad argument #2 to 'debug.getlocal' (number expected, got no value)
local co = coroutine.create(function(x, y) local z = x + y coroutine.yield(z) return z end)
print(coroutine.resume(co, 1, 2))  -- expect: true	3
print(debug.getlocal(co, 1, 1))  -- expect: x	1
print(debug.getlocal(co, 1, 3))  -- expect: z	3
print(debug.setlocal(co, 1, 3, 'set from outside'))  -- expect: z
print(coroutine.resume(co))  -- expect: true	set from outside
for i = 10, 10 do
  local names = {}
  local k = 1
  while true do local n = debug.getlocal(1, k) if not n then break end names[#names + 1] = n k = k + 1 end
  print(table.concat(names, ' '))  -- expect: f co (for state) (for state) (for state) i names k
end
for k, v in pairs{x = 1} do
  local names = {}
  local j = 1
  while true do local n = debug.getlocal(1, j) if not n then break end names[#names + 1] = n j = j + 1 end
  print(table.concat(names, ' '))  -- expect: f co (for state) (for state) (for state) (for state) k v names j
end
