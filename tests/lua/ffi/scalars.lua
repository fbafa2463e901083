-- Calls with scalar arguments and results: every integer type at its limits, floats, pointers, strings, enums.
package.path = "modules/?.lua"
local ffi, C = require "ffi", require "probe"
print(C.probe_int8(-128), C.probe_int8(128), C.probe_uint8(255), C.probe_uint8(-1))  -- expect: -128	-128	255	255
print(C.probe_int16(-32768), C.probe_int16(65535), C.probe_uint16(65535))  -- expect: -32768	-1	65535
print(C.probe_int32(-2147483648), C.probe_int32(4294967295), C.probe_uint32(4294967295))  -- expect: -2147483648	-1	4294967295
print(C.probe_int64(math.mininteger), C.probe_uint64(-1), C.probe_uint64(math.maxinteger))  -- expect: -9223372036854775808	-1	9223372036854775807
print(C.probe_int32(3.99), C.probe_int32(-3.99), C.probe_uint64(2^63))  -- expect: 3	-3	-9223372036854775808
print(C.probe_float(0.1) == 0.1, C.probe_float(0.5), C.probe_double(0.1), C.probe_double(7))  -- expect: false	0.5	0.1	7.0
print(C.probe_long_double(1.5), C.probe_bool(true), C.probe_bool(0), C.probe_bool(2))  -- expect: 2.5	false	true	false
print(ffi.string(C.probe_text("abc")), ffi.string(C.probe_text(nil)))  -- expect: abc	none
print(C.probe_pointer(nil), C.probe_nothing())  -- expect: cdata<void *>: NULL
print(C.probe_next("PROBE_RED"), tonumber(C.probe_next(5)), C.PROBE_BLUE)  -- expect: cdata<enum probe_color_name>: 5	6	6
print(C.probe_sum_integers(1, 2, 3, 4, 5, 6, 7, 8, 9, -10))  -- expect: 185
print(C.probe_sum_doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))  -- expect: 385.0
print(C.probe_sum_mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18))  -- expect: 2109.0
print(C.probe_renamed(5))  -- expect: 1005
print(pcall(C.probe_int32))  -- expect: false	wrong number of arguments for function call
print(pcall(C.probe_int32, 1, 2))  -- expect: false	wrong number of arguments for function call
print(select(2, pcall(C.probe_int32, {})):match "cannot.*")  -- expect: cannot convert 'table' to 'int')
print(select(2, pcall(C.probe_text, 5)):match "cannot.*")  -- expect: cannot convert 'number' to 'const char *')
print(pcall(function() return C.probe_int32("5") end))  -- expect: false	scalars.lua:22: bad argument #1 to 'probe_int32' (cannot convert 'string' to 'int')
print(pcall(function() return C.no_such_thing end))  -- expect: false	scalars.lua:23: missing declaration for symbol 'no_such_thing'
-- errno is what the last C function left, and what the next one sees.
ffi.errno(0)
C.probe_set_errno(17)
for i = 1, 100 do local t = { tostring(i) } end
print(ffi.errno(), ffi.errno(33), ffi.errno(), C.probe_get_errno())  -- expect: 17	17	33	33
-- Many calls in a loop that gets hot.
local sum = 0
for i = 1, 2000 do sum = sum + C.probe_int32(i) + C.probe_double(0.5) end
print(sum)  -- expect: 2002000.0
print(pcall(function() return ffi.cast("int (*)(int)", nil)(5) end))  -- expect: false	scalars.lua:33: 'int (*)()' is NULL
-- A pointer to a function, called directly and in a loop.
local pointer, total = ffi.new("int32_t (*)(int32_t)", C.probe_int32), 0
for i = 1, 100 do total = total + pointer(i) end
print(total)  -- expect: 5050
