-- Complex numbers and vectors; records by value whose members are not aligned, or are long doubles.
local ffi = require "ffi"
package.path = "modules/?.lua"
local C = require "probe"

-- How they lie in memory.
ffi.cdef [[
typedef float v4 __attribute__((vector_size(16)));
typedef int __attribute__((__vector_size__(2 * sizeof(int)))) v2i;
struct holder { char c; double complex z; float _Complex f; v4 v; __complex__ double many[2]; v2i *p; };
]]
print(ffi.sizeof "complex", ffi.alignof "complex", ffi.sizeof "complex float", ffi.alignof "float _Complex", ffi.sizeof "long double complex")
-- expect: 16	8	8	4	32
print(ffi.sizeof "v4", ffi.alignof "v4", ffi.sizeof "v2i", ffi.alignof(ffi.typeof("v2i *")), ffi.sizeof "short[3] __attribute__((vector_size(64)))")
-- expect: 16	16	8	8	192
for _, name in ipairs { "z", "f", "v", "many", "p" } do io.write(name, " ", ffi.offsetof("struct holder", name), " ") end
print(ffi.sizeof "struct holder")  -- expect: z 8 f 24 v 32 many 48 p 80 96

-- What they are made from, and what is read from them.
print(ffi.new "complex", ffi.new("complex", 7), ffi.new("complex", 1.5, -2), ffi.new("complex float", { 1, 2 }), ffi.new("complex", { 7 }))
-- expect: 0+0i	7+0i	1.5-2i	1+2i	7+7i
print(ffi.new("complex", 0.1, -1 / 0), ffi.new("complex", 1e300, -0.0))  -- expect: 0.1-infI	1e+300-0i
local z = ffi.new("complex", 3, 4)
print(z.re, z.im, z[0], z[1], z[2], z[-1], tonumber(z))  -- expect: 3.0	4.0	3.0	4.0	3.0	4.0	3.0
print(pcall(function() z.re = 1 end))  -- expect: false	complex.lua:25: attempt to write to constant location
print(pcall(function() return z.x end))  -- expect: false	complex.lua:26: 'complex' has no member named 'x'
print(pcall(function() return z + 1 end))  -- expect: false	complex.lua:27: attempt to perform arithmetic on 'complex' and 'number'
print(z == z, z == ffi.new("complex", 3, 4), z == 3, z == nil)  -- expect: true	false	false	false
print(ffi.new("complex float", z), ffi.new("complex", ffi.new("int", 5)), ffi.new("double[2]", z)[1], ffi.new("int[1]", z)[0])
-- expect: 3+4i	5+0i	3.0	3
for _, bad in ipairs { "x", true, ffi.new "v4", ffi.new "int[2]" } do print((select(2, pcall(ffi.new, "complex", bad)))) end
-- expect: cannot convert 'string' to 'complex'
-- expect: cannot convert 'boolean' to 'complex'
-- expect: cannot convert 'float __attribute__((vector_size(16)))' to 'complex'
-- expect: cannot convert 'int [2]' to 'complex'
print(pcall(ffi.new, "complex", 1, 2, 3))  -- expect: false	too many initializers for 'complex'
print(pcall(ffi.new, "bool", z))  -- expect: false	cannot convert 'complex' to 'bool'
print(pcall(ffi.cast, "complex", 1))  -- expect: false	bad argument #1 to 'ffi.cast' (invalid C type)

local v = ffi.new("v4", 1, 2, 3, 4)
print(v[0], v[3], ffi.new("v4", 5)[2], ffi.new("v4", 5, 6)[1], ffi.new("v4", 5, 6)[2], ffi.new("v4", { 9 })[3])
-- expect: 1.0	4.0	5.0	6.0	0.0	9.0
print(pcall(function() v[0] = 1 end))  -- expect: false	complex.lua:43: attempt to write to constant location
print(pcall(function() return v[4] end))
-- expect: false	complex.lua:44: 'float __attribute__((vector_size(16)))' cannot be indexed with 'number'
print(ffi.new("int __attribute__((vector_size(16)))", v)[0], pcall(ffi.new, "v2i", v))
-- expect: 1065353216	false	cannot convert 'float __attribute__((vector_size(16)))' to 'int __attribute__((vector_size(8)))'
print(ffi.typeof "v4", ffi.typeof "const complex", ffi.typeof "v2i *", ffi.typeof "float complex (*)[2]")
-- expect: ctype<float __attribute__((vector_size(16)))>	ctype<const complex>	ctype<int __attribute__((vector_size(8))) *>	ctype<complex float (*)[2]>

-- As members and elements they are assigned whole, and read as copies.
local h = ffi.new("struct holder", { 1, { 2, 3 }, 4, 5 })
local copy = h.z
h.z, h.many[1], h.v = 8, z, { 1, 2, 3, 4 }
print(copy, h.z, h.f, h.many[0], h.many[1], h.v[0], h.v[3], h.many[1].im)  -- expect: 2+3i	8+0i	4+0i	0+0i	3+4i	1.0	4.0	4.0
print(ffi.istype("complex", h.z), ffi.istype("complex float", h.z), ffi.istype("v4", h.v), ffi.istype("v2i", h.v))
-- expect: true	false	true	false
print(ffi.cast("double *", h.many)[2], pcall(ffi.cast, "double *", z))  -- expect: 3.0	false	cannot convert 'complex' to 'double *'
print(pcall(function() local p = ffi.new "complex float *" p = ffi.new("complex *", p) end))
-- expect: false	complex.lua:59: cannot convert 'complex float *' to 'complex *'

-- Calls.
print(C.probe_conjugate(z), C.probe_conjugate { 1, 2 }, C.probe_conjugate(6), C.probe_unit)  -- expect: 3-4i	1-2i	6-0i	0+1i
print(C.probe_turn(2, z, 0.5), C.probe_real(z))  -- expect: 4+9.5i	3.0
print(C.probe_sum_complex(3, z, z, ffi.new("complex", 0.5)))  -- expect: 6.5+8i
local signal = C.probe_double_signal({ { 1, 2 }, 21 }, z)
print(signal.z, signal.n)  -- expect: 4+6i	42
local sum = C.probe_add_pairs(ffi.new("probe_pair", 1, 2), 10, ffi.new("probe_pair", 3, 4))
print(sum[0], sum[1])  -- expect: 31.0	42.0
print(pcall(function() return C.probe_negate(v) end))
-- expect: false	complex.lua:70: cannot pass 'float __attribute__((vector_size(16)))' by value
print(pcall(ffi.cast, "complex (*)(complex)", print))  -- expect: false	cannot convert 'function' to 'complex (*)()'
C.probe_unit = z
print(C.probe_unit)  -- expect: 3+4i

-- Members that are not aligned, and long doubles: such records are in memory, whatever their size.
local packed, small = C.probe_pack(1, { 5, 2.5 }, 40), C.probe_pack_small(2, { 7, -5 }, 47)
print(packed.c, packed.d, small.c, small.i, ffi.sizeof(packed), ffi.sizeof(small))  -- expect: 6	42.5	9	42	9	5
print(C.probe_widen(40, { 1.5 }, 0.5).value, C.probe_widen_union(30, { 11.5 }, 0.5).value)  -- expect: 42.0	42.0

-- ffi.metatype, once for a type.
local complex = ffi.metatype("complex", {
  __add = function(a, b) return ffi.new("complex", a.re + b.re, a.im + b.im) end,
  __eq = function(a, b) return b ~= nil and a.re == b.re and a.im == b.im end,
  __index = { abs = function(a) return (a.re ^ 2 + a.im ^ 2) ^ 0.5 end, im = "hidden" },
})
print(z + complex(1, 1), z == complex(3, 4), z ~= nil, z:abs(), z.im)  -- expect: 4+5i	true	true	5.0	4.0
print(pcall(ffi.metatype, "double complex", {}))  -- expect: false	cannot change a protected metatable
local quad = ffi.metatype("v4", { __len = function() return 4 end, __new = function(type, x) return ffi.new(type, x, x + 1) end })
print(#v, quad(3)[1])  -- expect: 4	4.0
