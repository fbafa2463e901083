-- Lua functions as C functions: results, errors, life, calls into each other.
package.path = "modules/?.lua"
local ffi, C = require "ffi", require "probe"
print(C.probe_apply(function(x) return x * 2 end, 21))  -- expect: 43.0
print(C.probe_apply(C.probe_half(), 21))  -- expect: 11.5
print(C.probe_call_twice(function(x) return x + 1.5 end, 5))  -- expect: 7
local values = ffi.new("int[6]", { 5, 3, 9, 1, 7, 3 })
local compare = ffi.cast("probe_compare", function(a, b)
  return ffi.cast("const int *", a)[0] - ffi.cast("const int *", b)[0]
end)
C.probe_sort(values, 6, compare)
print(values[0], values[1], values[2], values[3], values[4], values[5])  -- expect: 1	3	3	5	7	9
compare:set(function(a, b) return ffi.cast("const int *", b)[0] - ffi.cast("const int *", a)[0] end)
C.probe_sort(values, 6, compare)
print(values[0], values[5], compare(values, values + 5))  -- expect: 9	1	-8
compare:free()
print(pcall(compare.free, compare))  -- expect: false	bad callback
print(pcall(function() return compare:set(print) end))  -- expect: false	callbacks.lua:18: bad callback
-- Every type of parameter.
print(C.probe_call_many(function(...)
-- expect: -1	200	-300	60000	-70000	4000000000	-5000000000	1.5	2.25	text
-- expect: -9223372036854775808
  local t = { ... }
  t[10] = ffi.string(t[10])
  print(table.unpack(t))
  return math.mininteger
end))
-- Results convert, or the error is one of the call.
print(C.probe_call_twice(function(x) return true end, 1))  -- expect: 1
print(select(2, pcall(C.probe_call_twice, function() return "x" end, 1)))
-- expect: cannot convert 'string' to 'int'
print(select(2, pcall(C.probe_call_twice, function() return nil end, 1)))
-- expect: cannot convert 'nil' to 'int'
-- Errors go through the C function, and everything goes on.
for i = 1, 50 do
  local ok, err = pcall(C.probe_call_twice, function() error({ i }) end, 1)
  assert(not ok and err[1] == i)
end
print(pcall(C.probe_apply, function() error("in callback", 0) end, 1))  -- expect: false	in callback
print(pcall(C.probe_apply, function() local x = nil + 1 end, 1))
-- expect: false	callbacks.lua:40: attempt to perform arithmetic on a nil value
-- A callback that calls C that calls a callback.
local inner = ffi.cast("probe_map", function(x) return x + 100 end)
print(C.probe_apply(function(x) return C.probe_apply(inner, x) end, 1))  -- expect: 103.0
print(pcall(C.probe_apply, function(x) return C.probe_apply(function() error("deep", 0) end, x) end, 1))
-- expect: false	deep
-- In coroutines; a callback cannot yield.
local co = coroutine.wrap(function()
  coroutine.yield(C.probe_apply(function(x) return x + 1 end, 1))
  return pcall(C.probe_apply, function(x) coroutine.yield(x) end, 1)
end)
print(co())  -- expect: 3.0
print(co())  -- expect: false	attempt to yield across a C-call boundary
print(C.probe_apply(function(x)  -- expect: 7.0
  local sum = 0
  for v in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do sum = sum + v end
  return sum
end, 0))
-- C code keeps a callback; collections do not matter to it.
C.probe_keep(function(x) return x * 3 end)
collectgarbage() collectgarbage()
print(C.probe_call_kept(14))  -- expect: 42
-- What has no C form.
print(pcall(ffi.cast, "void (*)(probe_point)", print))
-- expect: false	cannot convert 'function' to 'void (*)()'
print(pcall(ffi.cast, "int (*)(const char *, ...)", print))
-- expect: false	cannot convert 'function' to 'int (*)()'
print(pcall(ffi.cast, "void *", print))  -- expect: false	cannot convert 'function' to 'void *'
-- Many, made and freed.
for i = 1, 300 do
  local f = ffi.cast("int (*)(int)", function(x) return x + i end)
  assert(C.probe_call_twice(f, 0) == 2 * i)
  f:free()
end
local hot = ffi.cast("int (*)(int)", function(x) return x + 1 end)
local n = 0
for i = 1, 1000 do n = C.probe_call_twice(hot, n) end
print(n)  -- expect: 2000
