-- Variadic functions: integers of 64 bits, floats as doubles, promotions of C data.
package.path = "modules/?.lua"
local ffi, C = require "ffi", require "probe"
print(C.probe_sum_variable(0, ""))  -- expect: 0.0
print(C.probe_sum_variable(3, "ild", 1, 2, 3.5))  -- expect: 6.5
print(C.probe_sum_variable(2, "il", -7, math.mininteger + 0))  -- expect: -9.2233720368548e+18
print(C.probe_sum_variable(4, "sppi", "40", nil, ffi.new("int[1]"), true))  -- expect: 44.0
print(C.probe_sum_variable(4, "iiid", ffi.new("int8_t", -3), ffi.new("uint16_t", 9), ffi.new("bool", true), ffi.new("float", 0.25)))  -- expect: 7.25
print(C.probe_sum_variable(2, "Pd", ffi.new("probe_point", 1, 2), 4.0))  -- expect: 7.0
print(C.probe_sum_variable(12, "ddddddddddii", 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5, 6))  -- expect: 21.0
local buffer = ffi.new("char[?]", 64)
print(C.probe_print(buffer, 64, "%d %s %.2f %c %lld", 42, "text", 2.5, ("x"):byte(), 1 << 40))  -- expect: 28
print(ffi.string(buffer))  -- expect: 42 text 2.50 x 1099511627776
print(select(2, pcall(C.probe_print, buffer, 64, "%d", {})):match "cannot.*")  -- expect: cannot convert 'table' to an argument of C)
print(pcall(C.probe_print, buffer, 64))  -- expect: false	wrong number of arguments for function call
