-- Variables and constants of a library.
package.path = "modules/?.lua"
local ffi, C = require "ffi", require "probe"
print(C.probe_counter)  -- expect: 3
C.probe_counter = 7
C.probe_nothing()
print(C.probe_counter, C.probe_constant)  -- expect: 8	42
print(pcall(function() C.probe_constant = 1 end))  -- expect: false	variables.lua:8: attempt to write to constant location
print(pcall(function() C.probe_nothing = 1 end))  -- expect: false	variables.lua:9: attempt to write to constant location
print(C.probe_origin.x, C.probe_origin.y, C.probe_table[3])  -- expect: 1.5	2.5	40
C.probe_origin.x = 9
C.probe_table[3] = 44
C.probe_origin = { C.probe_origin.x, 8 }
print(C.probe_origin.x, C.probe_origin.y, C.probe_table[3], #"" + ffi.sizeof(C.probe_table))  -- expect: 9.0	8.0	44	16
print(ffi.string(C.probe_message))  -- expect: hello
C.probe_message = "other"
print(ffi.string(C.probe_message))  -- expect: other
print(C.PROBE_GREEN, pcall(function() C.PROBE_GREEN = 1 end))  -- expect: 5	false	variables.lua:18: attempt to write to constant location
