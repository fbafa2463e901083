-- 64-bit integers as cdata, with the arithmetic of C; their comparisons and texts.
local ffi = require "ffi"
local function i64(x) return ffi.new("int64_t", x) end
local function u64(x) return ffi.new("uint64_t", x) end
local function show(...) local t = { ... } for i = 1, select("#", ...) do t[i] = tostring(t[i]) end print(table.concat(t, " ")) end
show(i64(3) + 4, 4 + i64(3), i64(3) - 4, i64(3) * -4, u64(3) + 4, u64(3) - 4, u64(-1) * 2)
-- expect: 7LL 7LL -1LL -12LL 7ULL 18446744073709551615ULL 18446744073709551614ULL
show(i64(7) / 2, i64(-7) / 2, i64(-7) % 3, i64(7) % -3, i64(-7) // 2, u64(-7) / 2, u64(-7) % 10, u64(-7) // 2)
-- expect: 3LL -3LL -1LL 1LL -4LL 9223372036854775804ULL 9ULL 9223372036854775804ULL
show(i64(7) / 0, i64(7) % 0, u64(7) / 0, i64(math.mininteger) / -1, i64(math.mininteger) % -1)
-- expect: -9223372036854775808LL -9223372036854775808LL 9223372036854775808ULL -9223372036854775808LL 0LL
show(i64(2) ^ 10, i64(-2) ^ 3, i64(2) ^ -1, i64(1) ^ -5, i64(-1) ^ -5, u64(3) ^ 40, i64(0) ^ 0)
-- expect: 1024LL -8LL 0LL 1LL -1LL 12157665459056928801ULL 1LL
show(-i64(5), -u64(5), ~i64(5), ~u64(0))  -- expect: -5LL 18446744073709551611ULL -6LL 18446744073709551615ULL
show(i64(12) & 10, i64(12) | 3, i64(12) ~ 10, i64(1) << 40, u64(-1) >> 60, i64(-1) >> 60, i64(1) << 64)
-- expect: 8LL 15LL 6LL 1099511627776LL 15ULL 15LL 0LL
show(i64(7) + 1.9, i64(7) + -1.9, ffi.new("int", 3) + ffi.new("uint8_t", 4), ffi.new("double", 7) + 1.5, ffi.new("bool", true) + 1)
-- expect: 8LL 6LL 7LL 8LL 2LL
show(i64(math.maxinteger) + 1, u64(math.maxinteger) + u64(math.maxinteger) + 2)
-- expect: -9223372036854775808LL 0ULL
print(i64(7) < 8, i64(7) <= 7, i64(7) > 7, 8 < i64(9), u64(-1) > 5, i64(-1) < 5, i64(-1) < u64(5), u64(7) >= i64(7))
-- expect: true	true	false	true	true	true	false	true
print(i64(7) == i64(7), i64(7) == u64(7), i64(7) ~= i64(8), i64(-1) == u64(-1), ffi.new("int", 3) == i64(3))
-- expect: true	true	true	true	true
print(tonumber(i64(-5)), tonumber(u64(-1)), tonumber(ffi.new("float", 0.5)), tonumber(ffi.new("int[1]")), math.type(tonumber(i64(1))))
-- expect: -5	-1	0.5	nil	integer
print(tostring(i64(math.mininteger)), tostring(u64(-1)), tostring(i64(0)))
-- expect: -9223372036854775808LL	18446744073709551615ULL	0LL
for _, operand in ipairs { "1", {}, print, true, ffi.new("int[1]"), ffi.typeof "int" } do
  print((select(2, pcall(function() return i64(1) * operand end)):gsub("^.-:%d+: ", "")))
  -- expect: attempt to perform arithmetic on 'int64_t' and 'string'
  -- expect: attempt to perform arithmetic on 'int64_t' and 'table'
  -- expect: attempt to perform arithmetic on 'int64_t' and 'function'
  -- expect: attempt to perform arithmetic on 'int64_t' and 'boolean'
  -- expect: attempt to perform arithmetic on 'int64_t' and 'int [1]'
  -- expect: attempt to perform arithmetic on 'int64_t' and 'ctype'
end
print(select(2, pcall(function() return i64(1) + nil end)))
-- expect: arithmetic.lua:38: attempt to perform arithmetic on 'int64_t' and 'nil'
print(select(2, pcall(function() return i64(1) < "x" end)))
-- expect: arithmetic.lua:40: attempt to compare 'int64_t' with 'string'
print(select(2, pcall(function() return i64(1) .. "x" end)))
-- expect: arithmetic.lua:42: attempt to concatenate 'int64_t' and 'string'
print(select(2, pcall(function() return #i64(1) end)))
-- expect: arithmetic.lua:44: attempt to get length of 'int64_t'
-- Pointers.
local array = ffi.new("int[10]", { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 })
local p = array + 3
print(p[0], p[-3], (p + 2)[0], (2 + p)[0], (p - 1)[0], p - array, (p + i64(1))[0], array - p)
-- expect: 3	0	5	5	2	3	4	-3
print(p == array + 3, p ~= array, p > array, p <= p, array < p, ffi.cast("char *", p) == p, array == array + 0)
-- expect: true	true	true	true	true	true	true
print(ffi.typeof(p), ffi.typeof(array), ffi.typeof(array + 0))
-- expect: ctype<int *>	ctype<int [10]>	ctype<int *>
print(select(2, pcall(function() return p + p end)))
-- expect: arithmetic.lua:55: attempt to perform arithmetic on 'int *' and 'int *'
print(select(2, pcall(function() return p - ffi.cast("char *", p) end)))
-- expect: arithmetic.lua:57: attempt to perform arithmetic on 'int *' and 'char *'
print(select(2, pcall(function() return p < ffi.cast("char *", p) end)))
-- expect: arithmetic.lua:59: attempt to compare 'int *' with 'char *'
print(select(2, pcall(function() return p * 2 end)))
-- expect: arithmetic.lua:61: attempt to perform arithmetic on 'int *' and 'number'
print(select(2, pcall(function() return ffi.cast("void *", p) + 1 end)))
-- expect: arithmetic.lua:63: size of C type is unknown or too large
print(ffi.cast("void *", p) > array, ffi.cast("void *", nil) == ffi.cast("char *", 0))  -- expect: true	true
-- Two-dimensional arrays.
local grid = ffi.new("int[3][4]")
for i = 0, 2 do for j = 0, 3 do grid[i][j] = 10 * i + j end end
local row = grid[1]
print(row[3], grid[2][0], ffi.sizeof(grid), ffi.typeof(row), (grid + 1)[1][2], ffi.cast("int *", grid)[11])
-- expect: 13	20	48	ctype<int [4]>	22	23
