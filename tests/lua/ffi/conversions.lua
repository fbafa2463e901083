-- What converts to what: assignment, casts, initializers, strings, enums, and the errors.
local ffi = require "ffi"
ffi.cdef [[
enum color { RED, GREEN = 5, BLUE };
typedef struct { int x, y; } point;
typedef struct { int a; point p; int list[3]; enum color e; char name[8]; const char *text; bool flag; const int fixed; union { int i; float f; }; void (*fn)(int); } all;
typedef struct { unsigned a : 3; int b : 4; bool c : 1; enum color d : 4; int64_t e : 50; } bits;
struct opaque;
]]
local function try(f, ...) local r = table.pack(pcall(f, ...)) for i = 1, r.n do r[i] = tostring(r[i]):gsub("0x%x+", "ADDRESS") end print(table.concat(r, " ")) end
local function get(type, value) local o = ffi.new("struct { " .. type .. " v; }", { v = value }) return o.v end
print(get("int8_t", 200), get("uint8_t", -1), get("int16_t", 70000), get("int", 2^31), get("unsigned", -1), get("int64_t", 2^62), get("float", 0.1))
-- expect: -56	255	4464	-2147483648	4294967295	4611686018427387904	0.10000000149012
print(get("bool", 2), get("bool", 0), get("bool", false), get("int", true), get("int", 1e30), get("int", -2.9), get("double", 3))
-- expect: true	false	false	1	0	-2	3.0
try(get, "int", "5") try(get, "int", {}) try(get, "int", nil) try(get, "bool", "x") try(get, "double", print)
-- expect: false conversions.lua:11: cannot convert 'string' to 'int'
-- expect: false conversions.lua:11: cannot convert 'table' to 'int'
-- expect: true 0
-- expect: false conversions.lua:11: cannot convert 'string' to 'bool'
-- expect: false conversions.lua:11: cannot convert 'function' to 'double'
try(get, "enum color", "GREEN") try(get, "enum color", "none") try(get, "enum color", 77)
-- expect: true cdata<enum color>: 5
-- expect: false conversions.lua:11: cannot convert 'string' to 'enum color'
-- expect: true cdata<enum color>: 77
try(get, "const char *", 5) try(get, "char *", "text") try(get, "void *", "text") try(get, "int *", 5) try(get, "int *", {})
-- expect: false conversions.lua:11: cannot convert 'number' to 'const char *'
-- expect: false conversions.lua:11: cannot convert 'string' to 'char *'
-- expect: false conversions.lua:11: cannot convert 'string' to 'void *'
-- expect: false conversions.lua:11: cannot convert 'number' to 'int *'
-- expect: false conversions.lua:11: cannot convert 'table' to 'int *'
print(ffi.string(get("const char *", "text")), ffi.string(ffi.cast("const char *", get("const void *", "text"))), ffi.string(get("const uint8_t *", "text")))
-- expect: text	text	text
-- Pointers to other types.
for _, pair in ipairs { "int *|unsigned *", "int *|float *", "int *|int64_t *", "point *|all *", "int *|const int *", "const int *|int *", "int **|const int **",
  "void *|int **", "int *|void *", "char *|uint8_t *", "int *|enum color *", "void **|int **", "int (*)(int)|int (*)(double)", "int (*)[3]|int (*)[4]", "volatile int *|int *" } do
  local to, from = pair:match "(.*)|(.*)"
  try(ffi.new, to, ffi.new(from))
  -- expect: true cdata<int *>: NULL
  -- expect: false cannot convert 'float *' to 'int *'
  -- expect: false cannot convert 'int64_t *' to 'int *'
  -- expect: false cannot convert 'struct 1 *' to 'struct 0 *'
  -- expect: false cannot convert 'const int *' to 'int *'
  -- expect: true cdata<const int *>: NULL
  -- expect: false cannot convert 'const int **' to 'int **'
  -- expect: true cdata<void *>: NULL
  -- expect: true cdata<int *>: NULL
  -- expect: true cdata<char *>: NULL
  -- expect: true cdata<int *>: NULL
  -- expect: false cannot convert 'int **' to 'void **'
  -- expect: true cdata<int (*)()>: NULL
  -- expect: false cannot convert 'int (*)[4]' to 'int (*)[3]'
  -- expect: true cdata<volatile int *>: NULL
end
-- Arrays and records become pointers to themselves.
local array, p = ffi.new("int[3]", { 1, 2, 3 }), ffi.new("point", 4, 5)
print(ffi.new("int *", array)[2], ffi.new("point *", p).y, ffi.cast("int *", p)[1], ffi.new("void *", p) == ffi.cast("void *", p))
-- expect: 3	5	5	true
try(ffi.new, "int *", p) try(ffi.new, "int", p) try(ffi.new, "point", array) try(ffi.new, "int[4]", array)
-- expect: false cannot convert 'struct 0' to 'int *'
-- expect: false cannot convert 'struct 0' to 'int'
-- expect: false cannot convert 'int [3]' to 'int'
-- expect: false cannot convert 'int [3]' to 'int'
-- Initializers.
local function list(...) local a, r = ffi.new(...), {} for i = 0, ffi.sizeof(a) // 4 - 1 do r[#r + 1] = a[i] end return table.concat(r, ",") end
print(list("int[3]"), list("int[3]", 7), list("int[3]", { 7 }), list("int[3]", 1, 2), list("int[3]", { 1, 2 }), list("int[3]", { [0] = 7, 8, 9 }), list("int[?]", 2, 5), list("int[?]", 3, { 1, 2 }), list("int[3]", array))
-- expect: 0,0,0	7,7,7	7,7,7	1,2,0	1,2,0	7,8,9	5,5	1,2,0	1,2,3
try(ffi.new, "int[3]", 1, 2, 3, 4) try(ffi.new, "int[3]", { 1, 2, 3, 4 }) try(ffi.new, "int[?]") try(ffi.new, "int[?]", -1) try(ffi.new, "int[?]", 2^40)
-- expect: false too many initializers for 'int [3]'
-- expect: false too many initializers for 'int [3]'
-- expect: false bad argument #2 to 'ffi.new' (value expected)
-- expect: false bad argument #1 to 'ffi.new' (size of C type is unknown or too large)
-- expect: false bad argument #1 to 'ffi.new' (size of C type is unknown or too large)
try(ffi.new, "point", 1, 2, 3) try(ffi.new, "int", 1, 2) try(ffi.new, "point", { x = {} }) try(ffi.new, "int[2]", { 1, "x" })
-- expect: false too many initializers for 'struct 0'
-- expect: false too many initializers for 'int'
-- expect: false cannot convert 'table' to 'int'
-- expect: false cannot convert 'string' to 'int'
try(ffi.new, "struct opaque") try(ffi.new, "void") try(ffi.new, "int(int)")
-- expect: false bad argument #1 to 'ffi.new' (size of C type is unknown or too large)
-- expect: false bad argument #1 to 'ffi.new' (size of C type is unknown or too large)
-- expect: false bad argument #1 to 'ffi.new' (size of C type is unknown or too large)
local o = ffi.new("all", { 1, { 2, 3 }, { 4, 5, 6 }, "GREEN", "name", "text", true, 9, 7 })
print(o.a, o.p.x, o.p.y, o.list[2], o.e, ffi.string(o.name), ffi.string(o.text), o.flag, o.fixed)
-- expect: 1	2	3	6	cdata<enum color>: 5	name	text	true	9
o = ffi.new("all", { p = { y = 3 }, list = { 9 }, name = "longer than eight", fn = nil, i = 1 })
print(o.p.x, o.p.y, o.list[2], ffi.string(o.name), o.i, ffi.string(o.name, 8))
-- expect: 0	3	9	longer t	1	longer t
o.p = p o.e = "BLUE" o.name = "abc" o.list = { 1, 2 } o.fn = nil o.flag = 1
print(o.p.x, tonumber(o.e), ffi.string(o.name), o.list[1], o.list[2], o.flag, o.fn)
-- expect: 4	6	abc	2	9	true	cdata<void (*)()>: NULL
o.p.x = 77
print(p.x, o.p.x)  -- expect: 4	77
try(function() o.fixed = 5 end) try(function() o.p = 5 end) try(function() o.list = 5 end) try(function() o.none = 5 end)
-- expect: false conversions.lua:94: attempt to write to constant location
-- expect: false conversions.lua:94: cannot convert 'number' to 'struct 0'
-- expect: false conversions.lua:94: cannot convert 'number' to 'int [3]'
-- expect: false conversions.lua:94: 'struct 1' has no member named 'none'
try(function() return o.none end) try(function() return o[0] end) try(function() return o[true] end) try(function() return array.x end) try(function() return array[{}] end)
-- expect: false conversions.lua:99: 'struct 1' has no member named 'none'
-- expect: false conversions.lua:99: 'struct 1' cannot be indexed with 'number'
-- expect: false conversions.lua:99: 'struct 1' cannot be indexed with 'boolean'
-- expect: false conversions.lua:99: 'int [3]' has no member named 'x'
-- expect: false conversions.lua:99: 'int [3]' cannot be indexed with 'table'
try(function() ffi.new("const int[2]")[0] = 1 end) try(function() ffi.new("const point").x = 1 end) try(function() return ffi.new("int").x end)
-- expect: false conversions.lua:105: attempt to write to constant location
-- expect: false conversions.lua:105: attempt to write to constant location
-- expect: false conversions.lua:105: 'int' has no member named 'x'
print(array[1.9], array[ffi.new("int", 1)], array[ffi.new("int64_t", 2)])  -- expect: 2	2	3
-- Null pointers are found out.
try(function() return ffi.new("int *")[0] end) try(function() return ffi.new("point *").x end) try(function() ffi.new("point *").y = 1 end) try(ffi.string, nil)
-- expect: false conversions.lua:111: 'int *' is NULL
-- expect: false conversions.lua:111: 'struct 0 *' is NULL
-- expect: false conversions.lua:111: 'struct 0 *' is NULL
-- expect: false bad argument #1 to 'ffi.string' (NULL pointer)
try(function() return ffi.new("struct opaque *")[0] end) try(function() return ffi.new("void *")[0] end)
-- expect: false conversions.lua:116: size of C type is unknown or too large
-- expect: false conversions.lua:116: size of C type is unknown or too large
-- Bit-fields.
local b = ffi.new("bits", { 9, 7, true, "GREEN", -1 })
print(b.a, b.b, b.c, tonumber(b.d), b.e, ffi.sizeof("bits"))  -- expect: 1	7	true	5	-1	8
b.b = -8 b.a = 15 b.e = 1 << 48 b.c = false
print(b.a, b.b, b.c, tonumber(b.d), b.e)  -- expect: 7	-8	false	5	281474976710656
print(ffi.offsetof("bits", "a"))  -- expect: 0	0	3
print(ffi.offsetof("bits", "b"))  -- expect: 0	3	4
print(ffi.offsetof("all", "list"), ffi.offsetof("all", "none"), ffi.offsetof("all", "f"), ffi.offsetof("all", "fn"))
-- expect: 12	nil	56	64
-- Casts.
print(ffi.cast("int", 5.9) == ffi.new("int", 5), tonumber(ffi.cast("uint8_t", 300)), tonumber(ffi.cast("int", ffi.cast("void *", 7))), ffi.cast("int *", 0))
-- expect: true	44	7	cdata<int *>: NULL
print(tonumber(ffi.cast("enum color", "BLUE")), tonumber(ffi.cast("bool", 5)), ffi.cast("intptr_t", ffi.cast("void *", -1)))
-- expect: 6	1	-1LL
try(ffi.cast, "point", {}) try(ffi.cast, "int[3]", {}) try(ffi.cast, "int", {}) try(ffi.cast, "double", ffi.new("int *")) try(ffi.cast, "int *", 1.5) try(ffi.cast, "int")
-- expect: false bad argument #1 to 'ffi.cast' (invalid C type)
-- expect: false bad argument #1 to 'ffi.cast' (invalid C type)
-- expect: false cannot convert 'table' to 'int'
-- expect: false cannot convert 'int *' to 'double'
-- expect: true cdata<int *>: ADDRESS
-- expect: false bad argument #2 to 'ffi.cast' (value expected)
-- Strings, copying, filling.
local buffer = ffi.new("char[8]", "abc")
print(ffi.string(buffer), ffi.string(buffer, 2), #ffi.string(buffer, 8), ffi.string("lua"), #ffi.string(ffi.new("char[3]", "abcd")))
-- expect: abc	ab	8	lua	3
ffi.copy(buffer, "xyz") print(ffi.string(buffer)) ffi.copy(buffer, "12345", 2) print(ffi.string(buffer)) ffi.fill(buffer, 3, 65) print(ffi.string(buffer)) ffi.fill(buffer, 8)
-- expect: xyz
-- expect: 12z
-- expect: AAA
print(#ffi.string(buffer)) ffi.copy(array, ffi.new("int[3]", { 7, 8, 9 }), 8) print(array[0], array[1], array[2])
-- expect: 0
-- expect: 7	8	3
try(ffi.copy, array, 5, 1) try(ffi.copy, array, array) try(ffi.copy, "x", "y") try(ffi.fill, array) try(ffi.fill, array, -1) try(ffi.string, array) try(ffi.string, 5) try(ffi.string, buffer, -1)
-- expect: false bad argument #2 to 'ffi.copy' (cannot convert 'number' to 'const void *')
-- expect: false bad argument #3 to 'ffi.copy' (value expected)
-- expect: false bad argument #1 to 'ffi.copy' (cannot convert 'string' to 'void *')
-- expect: false bad argument #2 to 'ffi.fill' (value expected)
-- expect: false bad argument #2 to 'ffi.fill' (negative length)
-- expect: false bad argument #1 to 'ffi.string' (cannot convert 'int [3]' to 'const char *')
-- expect: false bad argument #1 to 'ffi.string' (cannot convert 'number' to 'const char *')
-- expect: false bad argument #2 to 'ffi.string' (negative length)
-- Files are pointers to FILE.
ffi.cdef "typedef struct _IO_FILE FILE; int fileno(FILE *f);"
print(ffi.C.fileno(io.stdin), ffi.C.fileno(io.stdout))  -- expect: 0	1
-- Types as values.
local int, point = ffi.typeof "int", ffi.typeof "point"
print(int == ffi.typeof "int", int == ffi.typeof "signed", int == point, int, ffi.typeof(int), ffi.typeof(ffi.new "int[2]"), tonumber(int(5)), point(1, 2).y)
-- expect: true	true	false	ctype<int>	ctype<int>	ctype<int [2]>	5	2
print(ffi.typeof("$ *", int), ffi.typeof("$[$]", point, 3) == ffi.typeof "point[3]", ffi.sizeof(ffi.typeof("struct { $ a; $ b; }", int, point)), ffi.typeof("struct { int $; }", "x")(5).x)
-- expect: ctype<int *>	true	12	5
