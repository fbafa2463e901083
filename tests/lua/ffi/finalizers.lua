-- ffi.gc, what keeps what alive, and the memory of cdata.
local ffi = require "ffi"
local function collect() collectgarbage() collectgarbage() end
local freed = {}
local function free(c) freed[#freed + 1] = c[0] end
do
  for i = 1, 5 do ffi.gc(ffi.new("int[1]", i), free) end
  collect()
  table.sort(freed)
  print(table.concat(freed, " "))  -- expect: 1 2 3 4 5
end
-- Taken back, and given another one.
freed = {}
do
  local a = ffi.gc(ffi.new("int[1]", 1), free)
  print(ffi.gc(a, nil) == a)  -- expect: true
  local b = ffi.gc(ffi.new("int[1]", 2), free)
  ffi.gc(b, function(c) freed[#freed + 1] = "second" end)
  a, b = nil, nil
  collect()
  print(table.concat(freed, " "))  -- expect: second
end
-- Pointers have finalizers of their own.
freed = {}
ffi.cdef "void *malloc(size_t n); void free(void *p);"
do
  for i = 1, 3 do
    local p = ffi.gc(ffi.cast("int *", ffi.C.malloc(4)), function(c) freed[#freed + 1] = c[0] ffi.C.free(c) end)
    p[0] = i * 10
  end
  collect()
  table.sort(freed)
  print(table.concat(freed, " "))  -- expect: 10 20 30
end
-- An object lives as long as a part of it is used.
ffi.cdef "struct outer { struct { int x; int list[3]; } inner; };"
freed = {}
do
  local list
  do
    local outer = ffi.gc(ffi.new("struct outer", { { 1, { 2, 3, 4 } } }), function() freed[#freed + 1] = "outer" end)
    list = outer.inner.list
  end
  collect()
  print(#freed, list[0], list[2])  -- expect: 0	2	4
  list = nil
  collect()
  print(#freed)  -- expect: 1
end
-- Revived by its finalizer, which runs once.
local kept
do
  ffi.gc(ffi.new("int[1]", 7), function(c) kept = c end)
  collect()
  print(kept[0])  -- expect: 7
  kept = nil
  collect()
  print(kept)  -- expect: nil
end
-- Errors in finalizers are warnings.
print(pcall(ffi.gc, 5, print))  -- expect: false	bad argument #1 to 'ffi.gc' (cdata expected, got number)
print(pcall(ffi.gc, ffi.new("int"), print))  -- expect: false	bad argument #1 to 'ffi.gc' (invalid C type)
-- The collector knows how large they are.
collect()
collectgarbage "stop"
local before = collectgarbage("count")
local big = ffi.new("char[?]", 1 << 20)
local grown = collectgarbage("count") - before
print(grown >= 1024 and grown < 1100)  -- expect: true
collectgarbage "restart"
big = nil
collect()
print(collectgarbage("count") - before < 100)  -- expect: true
for i = 1, 3000 do local x = ffi.new("double[100]") x[99] = i end
print(collectgarbage("count") - before < 20000)  -- expect: true
-- Alignment beyond that of the heap.
ffi.cdef "typedef struct { char c; } __attribute__((aligned(64))) wide;"
for i = 1, 20 do assert(ffi.cast("intptr_t", ffi.cast("void *", ffi.new("wide"))) % 64 == ffi.new("int64_t", 0)) end
-- At the end of the program those that are left are called, with the library still there.
last = ffi.gc(ffi.new("int[1]", 99), function(c) print("last", c[0], ffi.sizeof(c)) end)  -- expect: last	99	4
