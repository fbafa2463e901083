-- The machine code of callbacks lies in pages that are never writable and executable at once.
local ffi = require "ffi"
-- Without a loop of its own, whose iterations would be those of the machine's mappings.
local function open_pages()
  local file <close> = io.open("/proc/self/maps")
  local _, count = file:read("a"):gsub("%f[^\n\0]%x+%-%x+ .wx", "")
  return count
end
local before = open_pages()
local double = ffi.typeof("double (*)(double)")
local callbacks, inside = {}, 0
for i = 1, 200 do callbacks[i] = ffi.cast(double, function(x) return x + i end) end
print(open_pages() - before)  -- expect: 0
local sum = 0
for i = 1, 200 do sum = sum + callbacks[i](0.5) end
print(sum)  -- expect: 20200.0
-- They are freed, used again, and made while another one runs.
for i = 1, 200, 3 do callbacks[i]:free() end
for i = 1, 200, 3 do callbacks[i] = ffi.cast(double, function(x) return x - i end) end
local outer = ffi.cast(double, function(x)
  local inner = ffi.cast(double, function(y)
    inside = open_pages() - before
    return y * 2
  end)
  local result = inner(x) + callbacks[1](x) + callbacks[2](x)
  inner:free()
  return result
end)
for _ = 1, 100 do sum = outer(10) end
print(sum, inside)  -- expect: 41.0	0
