-- Structs and unions by value: in registers of both kinds, in memory, with bit-fields, behind many arguments.
package.path = "modules/?.lua"
local ffi, C = require "ffi", require "probe"
local p = C.probe_scale({ 1.5, 2 }, 2)
print(p.x, p.y, ffi.istype("probe_point", p))  -- expect: 3.0	4.0	true
p = C.probe_scale(p, 10)
print(p.x, p.y)  -- expect: 30.0	40.0
local m = C.probe_mix({ a = 1, b = 0.5 }, 10, 0.25)
print(m.a, m.b)  -- expect: 11	0.75
local v = C.probe_cross({ 1, 2, 3 }, { 4, 5, 6 })
print(v.x, v.y, v.z)  -- expect: -3.0	6.0	-3.0
local b = C.probe_shift({ { 1, 2, 3, 4, 5 } }, 100)
print(b.words[0], b.words[4])  -- expect: 101	505
local l = C.probe_enlarge({ 65, 1.25, { 1, 2, 3 } })
print(l.c, l.d, l.s[0], l.s[1], l.s[2])  -- expect: 66	2.5	2	4	6
local w = C.probe_swap1({ 7, 2.5 })
print(w.d, w.i)  -- expect: 2.5	7
local z = C.probe_swap2(w)
print(z.d, z.i)  -- expect: 2.5	7
print(C.probe_flip({ i = 0x01020304 }).i)  -- expect: 67305985
local bits = C.probe_bump({ 7, -16, 0xffffffffff, true })
print(bits.a, bits.b, bits.c, bits.d)  -- expect: 0	15	0	false
local color = C.probe_invert({ 1, 2, 3 })
print(color.r, color.g, color.b)  -- expect: 254	253	252
print(C.probe_struct_sum(1, { 2, 3 }, 4, { { 5, 0, 0, 0, 6 } }, 7, { 8, 0, 9 }, { 10, 11 }, { 12 }))  -- expect: 650.0
print(C.probe_late_struct(1, 2, 3, 4, 5, { 6, 7 }, { 8, 9 }))  -- expect: 285
-- Results are copies.
local first, second = C.probe_scale({ 1, 1 }, 1), C.probe_scale({ 2, 2 }, 1)
print(first.x, second.x)  -- expect: 1.0	2.0
print(select(2, pcall(C.probe_scale, 5, 1)):match "cannot.*")  -- expect: cannot convert 'number' to 'struct 0')
