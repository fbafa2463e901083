-- ffi.cdef and types in strings: what is read, sizes, and what is refused with which words.
local ffi = require "ffi"
local function refuse(text) local ok, e = pcall(ffi.cdef, text) print(((e or "read"):gsub("^[^:]+:%d+: ", ""))) end
local function name(...) local ok, t = pcall(ffi.typeof, ...) print((tostring(t):gsub("^[^:]+:%d+: ", ""))) end
for _, text in ipairs { "int", "unsigned char", "signed char", "int8_t", "long", "unsigned long long int", "short unsigned", "const char *", "char *const", "int *(*)[4]", "int (*)(int, double)",
  "int (*[3])(int)", "int [2][3]", "int [?]", "int []", "void", "struct { int x; } *", "long double", "_Bool", "volatile int", "const volatile void *", "size_t", "int (*(*)(void))[2]", "char (&)[8]" } do name(text) end
  -- expect: ctype<int>
  -- expect: ctype<unsigned char>
  -- expect: ctype<char>
  -- expect: ctype<char>
  -- expect: ctype<int64_t>
  -- expect: ctype<uint64_t>
  -- expect: ctype<unsigned short>
  -- expect: ctype<const char *>
  -- expect: ctype<char *const>
  -- expect: ctype<int *(*)[4]>
  -- expect: ctype<int (*)()>
  -- expect: ctype<int (*[3])()>
  -- expect: ctype<int [2][3]>
  -- expect: ctype<int [?]>
  -- expect: ctype<int []>
  -- expect: ctype<void>
  -- expect: ctype<struct 0 *>
  -- expect: ctype<long double>
  -- expect: ctype<bool>
  -- expect: ctype<volatile int>
  -- expect: ctype<const volatile void *>
  -- expect: ctype<uint64_t>
  -- expect: ctype<int (*(*)())[2]>
  -- expect: ctype<char (&)[8]>
for _, text in ipairs { "foo", "int foo", "int [", "struct nope", "struct", "int [x]", "unsigned float", "long long long", "int (", "int [-1]", "void [2]", "int ()()", "int ()[2]", "$", "int @", "" } do name(text) end
-- expect: declaration specifier expected near 'foo'
-- expect: '<eof>' expected near 'foo'
-- expect: unexpected symbol near '<eof>'
-- expect: undeclared or implicit tag 'nope'
-- expect: '<identifier>' expected near '<eof>'
-- expect: unexpected symbol near 'x'
-- expect: invalid combination of type specifiers near '<eof>'
-- expect: invalid combination of type specifiers near 'long'
-- expect: declaration specifier expected near '<eof>'
-- expect: size of C type is unknown or too large
-- expect: size of C type is unknown or too large
-- expect: invalid C type
-- expect: invalid C type
-- expect: wrong number of type parameters
-- expect: '<eof>' expected near '@'
-- expect: declaration specifier expected near '<eof>'
name(5) name(nil) name() name("$") name("int", 5) name("$ $", ffi.typeof "int", ffi.typeof "int")
-- expect: bad argument #1 to 'ffi.typeof' (C type expected, got number)
-- expect: bad argument #1 to 'ffi.typeof' (C type expected, got nil)
-- expect: bad argument #1 to 'ffi.typeof' (C type expected, got no value)
-- expect: wrong number of type parameters
-- expect: wrong number of type parameters
-- expect: '<eof>' expected near '$'
refuse "foo" refuse "int f(int" refuse "\n\nint f(int;" refuse "struct s1 { int x; int x; };" refuse "struct s2 { void x; };" refuse "struct s3 { struct s3 x; };"
-- expect: declaration specifier expected near 'foo'
-- expect: ')' expected near '<eof>' in the declaration of 'f'
-- expect: ')' expected near ';' at line 3 in the declaration of 'f'
-- expect: duplicate member 'x' in the declaration of 'struct s1'
-- expect: size of C type is unknown or too large (member 'x') in the declaration of 'struct s2'
-- expect: size of C type is unknown or too large (member 'x') in the declaration of 'struct s3'
refuse "struct s4 { int x : 33; };" refuse "struct s5 { float x : 3; };" refuse "enum e1 { A1 = };" refuse "enum e2 { A2 = 1 / 0 };" refuse "int f(void, int);" refuse "int f(..., int);" refuse "#define X 1"
-- expect: invalid width of bit-field 'x' in the declaration of 'struct s4'
-- expect: invalid type of bit-field 'x' in the declaration of 'struct s5'
-- expect: unexpected symbol near '}' in the declaration of 'enum e1'
-- expect: division by zero in the declaration of 'enum e2'
-- expect: invalid C type of a parameter in the declaration of 'f'
-- expect: ')' expected near ',' in the declaration of 'f'
-- expect: preprocessor directives are not supported near '<eof>'
refuse "int x = 5;" refuse "static const double d = 5;" refuse "/* never ends" refuse "struct { int x;" refuse "int a b;" refuse "typedef int T1; typedef long T1;" refuse "struct s6 { int x; }; struct s6 { int y; };"
-- expect: ';' expected near '=' in the declaration of 'x'
-- expect: invalid C type in the declaration of 'd'
-- expect: unfinished comment near '<eof>'
-- expect: declaration specifier expected near '<eof>' in the declaration of 'struct'
-- expect: ';' expected near 'b' in the declaration of 'a'
-- expect: attempt to redefine 'T1' in the declaration of 'T1'
-- expect: attempt to redefine 's6'
refuse "struct s9 { int x; union { char c; long x; }; };" refuse "struct s7 { int x; }; union s7 *p;" refuse "int f(int x) { return x; }" refuse "int x __attribute__((vector_size(12)));" refuse "struct s7 v __attribute__((vector_size(16)));" refuse "unsigned complex z;" refuse "int f(struct s8 { int x; } a);" print(pcall(ffi.cdef, 5))
-- expect: duplicate member 'x' in the declaration of 'struct s9'
-- expect: attempt to redefine 's7'
-- expect: read
-- expect: invalid size of a vector in the declaration of 'x'
-- expect: invalid vector type in the declaration of 'v'
-- expect: invalid combination of type specifiers near 'z'
-- expect: read
-- expect: false	declaration specifier expected near '5'
-- What came before an error stays.
pcall(ffi.cdef, "typedef int before_error; int (((")
print(ffi.sizeof "before_error")  -- expect: 4
ffi.cdef [[
// comments, empty declarations, everything twice
; extern int puts(const char *); int puts(const char *s);
typedef struct node { struct node *next; union { int i; float f; }; struct { short s; } named; } node, *node_ptr, node_array[4];
typedef enum { ONE = 1, TWO, FOUR = ONE << 2, BIG = sizeof(node), LETTER = 'a', NEGATIVE = -3, COND = ONE > 2 ? 10 : 20 } numbers;
static const int limit = FOUR * 10 + 2;
#pragma pack(push, 1)
struct packed1 { char c; int i; };
#pragma pack(pop)
struct packed2 { char c; int i; } __attribute__((packed));
struct aligned { char c; int i __attribute__((aligned(16))); };
struct flexible { int n; double d[]; };
struct variable { int n; double d[?]; };
typedef __attribute__((aligned(32))) int aligned_int;
typedef int (*handler)(int, void (*)(int));
__extension__ typedef unsigned long long int my_u64;
typedef __int64 my_i64; typedef int word __attribute__((mode(DI)));
struct empty {}; struct never;
int renamed(int) __asm__("abs");
void (*signal_like(int, void (*func)(int)))(int);
]]
print(ffi.sizeof "node", ffi.alignof "node", ffi.sizeof "node_array", ffi.sizeof "node_ptr", ffi.offsetof("node", "f"), ffi.offsetof("node", "named"))
-- expect: 16	8	64	8	8	12
print(ffi.C.ONE, ffi.C.TWO, ffi.C.FOUR, ffi.C.BIG, ffi.C.LETTER, ffi.C.NEGATIVE, ffi.C.COND, ffi.C.limit)
-- expect: 1	2	4	16	97	-3	20	42
print(ffi.sizeof "struct packed1", ffi.sizeof "struct packed2", ffi.sizeof "struct aligned", ffi.alignof "struct aligned", ffi.alignof "aligned_int", ffi.sizeof "aligned_int")
-- expect: 5	5	32	16	32	4
print(ffi.sizeof "struct flexible", ffi.sizeof("struct variable", 3), ffi.sizeof("int[?]", 5), ffi.sizeof "my_u64", ffi.sizeof "my_i64", ffi.sizeof "word", ffi.sizeof "struct empty")
-- expect: 8	32	20	8	8	8	0
print(ffi.sizeof "void", ffi.sizeof "struct never *", ffi.typeof "handler", ffi.C.renamed(-5))
-- expect: nil	8	ctype<int (*)()>	5
print(pcall(ffi.sizeof, "struct never"))  -- expect: true	nil
print(ffi.os, ffi.arch, ffi.abi "64bit", ffi.abi "le", ffi.abi "win", package.loaded.ffi == ffi, rawget(_G, "ffi"))
-- expect: Linux	x64	true	true	false	true	nil
print(ffi.istype("int", 5), ffi.istype("node *", ffi.new "node_ptr"), ffi.istype("node", ffi.new "node_ptr"), ffi.istype("int", ffi.new "unsigned"), ffi.istype("const int", ffi.new "int"))
-- expect: false	true	true	false	true
print(select(2, pcall(ffi.load, "no_such_library")))
-- expect: libno_such_library.so: cannot open shared object file: No such file or directory
print(pcall(function() return ffi.load("m") ~= nil and ffi.load("libm.so.6") ~= nil end))
-- expect: true	true
-- cdata have a type of their own, in machine code, too.
local kinds = {}
for i = 1, 100 do for _, v in ipairs { ffi.new "int", int or ffi.typeof "int", io.stdout, ffi.C, {}, 1 } do kinds[type(v)] = (kinds[type(v)] or 0) + 1 end end
print(kinds.cdata, kinds.userdata, kinds.table, kinds.number)  -- expect: 200	200	100	100
-- Types cannot be nested without end.
for _, text in ipairs { "$ *", "$[1]", "$ (*)(void)", "void (*)($)", "struct { $ x; }", "const $ * const" } do
  local t, n = ffi.typeof "int", 0
  local ok, e
  repeat
    n = n + 1
    ok, e = pcall(ffi.typeof, text, t)
    t = e
  until not ok or n > 5000
  assert(not ok and (e:find "too many nested" or e:find "size of C type"), e)
end
print(pcall(ffi.sizeof, "struct never") and "done")  -- expect: done
-- What headers have: inline functions, whose bodies are passed over, and typedefs that several modules declare.
ffi.cdef [[
static __inline int twice(int x) { if (x > 0) { return 2 * x; } return '}'; }
static int hidden(int);
typedef struct { int first; } repeated;
]]
local first = ffi.typeof "repeated"
ffi.cdef "typedef struct { int first, second; } repeated;"
print(ffi.sizeof(first), ffi.sizeof "repeated", pcall(function() return ffi.C.twice end))  -- expect: 4	8	false	declarations.lua:154: missing declaration for symbol 'twice'
ffi.cdef "int sized(int n, char text[n], int grid[static 3][4], double list[*]);"
print(pcall(ffi.cdef, "int unsized[n];"))  -- expect: false	unexpected symbol near 'n' in the declaration of 'unsized'
-- As preprocessed headers have them.
ffi.cdef [[
typedef float quad_float __attribute__((mode(TF)));  typedef _Complex float __attribute__((__mode__(__TC__))) quad_complex;
extern _Float128 wide_function(_Float128 x);  extern _Float64x other_function(_Float32 a, _Float32x b, _Complex _Float64 c);
static inline float passed_over(void) { return 0.5f + 1e+3 * 0x1p-3 + 1.5e-3L - 12u; }
struct wide { char c; _Float128 f; };
]]
print(ffi.sizeof "_Float128", ffi.sizeof "quad_complex", ffi.offsetof("struct wide", "f"), ffi.typeof "quad_float", ffi.sizeof "_Float64x")
-- expect: 16	32	16	ctype<_Float128>	16
print(pcall(ffi.new, "_Float128", 1))  -- expect: false	cannot convert 'number' to '_Float128'
print(pcall(ffi.cdef, "int a[1.5];"))  -- expect: false	malformed number near '1.5' in the declaration of 'a'
