/* The configuration that sources written for Lua 5.4 may look at. It is one configuration, that of Lua 5.4 on a 64-bit system:
   64-bit integers, doubles, paths as in Debian. Nothing here can be changed without breaking the ABI. */
#ifndef luaconf_h
#define luaconf_h

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* --- numbers */
#define LUA_INT_INT 1
#define LUA_INT_LONG 2
#define LUA_INT_LONGLONG 3
#define LUA_FLOAT_FLOAT 1
#define LUA_FLOAT_DOUBLE 2
#define LUA_FLOAT_LONGDOUBLE 3
#define LUA_INT_DEFAULT LUA_INT_LONGLONG
#define LUA_FLOAT_DEFAULT LUA_FLOAT_DOUBLE
#define LUA_INT_TYPE LUA_INT_DEFAULT
#define LUA_FLOAT_TYPE LUA_FLOAT_DEFAULT
#define LUA_32BITS 0
#define LUA_C89_NUMBERS 0
#define LUAI_IS32INT ((UINT_MAX >> 30) >= 3)

#define LUA_NUMBER double
#define LUAI_UACNUMBER double
#define LUA_NUMBER_FRMLEN ""
#define LUA_NUMBER_FMT "%.14g"
#define l_mathop(op) op
#define l_floatatt(n) (DBL_##n)
#define l_floor(x) (l_mathop(floor)(x))
#define lua_str2number(s, p) strtod((s), (p))
#define lua_strx2number(s, p) lua_str2number(s, p)
#define lua_number2str(s, sz, n) l_sprintf((s), sz, LUA_NUMBER_FMT, (LUAI_UACNUMBER)(n))
#define lua_number2strx(L, b, sz, f, n) ((void)L, l_sprintf(b, sz, f, (LUAI_UACNUMBER)(n)))

#define LUA_INTEGER long long
#define LUAI_UACINT LUA_INTEGER
#define LUA_UNSIGNED unsigned LUAI_UACINT
#define LUA_INTEGER_FRMLEN "ll"
#define LUA_INTEGER_FMT "%" LUA_INTEGER_FRMLEN "d"
#define LUA_MAXINTEGER LLONG_MAX
#define LUA_MININTEGER LLONG_MIN
#define LUA_MAXUNSIGNED ULLONG_MAX
#define lua_integer2str(s, sz, n) l_sprintf((s), sz, LUA_INTEGER_FMT, (LUAI_UACINT)(n))
#define lua_pointer2str(buff, sz, p) l_sprintf(buff, sz, "%p", p)
#define l_sprintf(s, sz, f, i) snprintf(s, sz, f, i)

/* Converts a float that is in range, and already integral, to an integer: true when it was in range. */
#define lua_numbertointeger(n, p)                                                              \
  ((n) >= (LUA_NUMBER)(LUA_MININTEGER) && (n) < -(LUA_NUMBER)(LUA_MININTEGER) && \
   (*(p) = (LUA_INTEGER)(n), 1))

#define LUA_KCONTEXT intptr_t

#if !defined(lua_getlocaledecpoint)
#define lua_getlocaledecpoint() (localeconv()->decimal_point[0])
#endif

/* --- where modules are looked for */
#define LUA_PATH_SEP ";"
#define LUA_PATH_MARK "?"
#define LUA_EXEC_DIR "!"
#define LUA_IGMARK "-"
#define LUA_DIRSEP "/"
#define LUA_VDIR LUA_VERSION_MAJOR "." LUA_VERSION_MINOR
#define LUA_ROOT "/usr/local/"
#define LUA_ROOT2 "/usr/"
#define LUA_LDIR LUA_ROOT "share/lua/" LUA_VDIR "/"
#define LUA_LDIR2 LUA_ROOT2 "share/lua/" LUA_VDIR "/"
#define LUA_CDIR LUA_ROOT "lib/lua/" LUA_VDIR "/"
#define LUA_CDIR2 LUA_ROOT2 "lib/x86_64-linux-gnu/lua/" LUA_VDIR "/"
#define LUA_CDIR3 LUA_ROOT2 "lib/lua/" LUA_VDIR "/"
#define LUA_PATH_DEFAULT                                                                                  \
  LUA_LDIR "?.lua;" LUA_LDIR "?/init.lua;" LUA_CDIR "?.lua;" LUA_CDIR "?/init.lua;" LUA_LDIR2 "?.lua;"    \
  LUA_LDIR2 "?/init.lua;./?.lua;./?/init.lua"
#define LUA_CPATH_DEFAULT LUA_CDIR "?.so;" LUA_CDIR2 "?.so;" LUA_CDIR3 "?.so;" LUA_CDIR "loadall.so;./?.so"

/* --- how the functions are declared */
#if defined(__GNUC__)
#define LUA_API extern __attribute__((visibility("default")))
#define LUAI_FUNC __attribute__((visibility("hidden"))) extern
#else
#define LUA_API extern
#define LUAI_FUNC extern
#endif
#define LUALIB_API LUA_API
#define LUAMOD_API LUA_API
#define LUAI_DDEC(dec) LUAI_FUNC dec
#define LUAI_DDEF

#if !defined(luai_likely)
#if defined(__GNUC__) && !defined(LUA_NOBUILTIN)
#define luai_likely(x) (__builtin_expect(((x) != 0), 1))
#define luai_unlikely(x) (__builtin_expect(((x) != 0), 0))
#else
#define luai_likely(x) (x)
#define luai_unlikely(x) (x)
#endif
#endif
#if defined(LUA_CORE) || defined(LUA_LIB)
#define l_likely(x) luai_likely(x)
#define l_unlikely(x) luai_unlikely(x)
#endif

#if defined(LUA_USE_APICHECK)
#include <assert.h>
#define luai_apicheck(l, e) assert(e)
#endif

/* --- sources written for 5.3 */
#if defined(LUA_USE_LINUX) || defined(LUA_USE_MACOSX)
#define LUA_USE_POSIX
#define LUA_USE_DLOPEN
#endif
#if defined(LUA_COMPAT_5_3)
#define LUA_COMPAT_MATHLIB
#define LUA_COMPAT_APIINTCASTS
#define LUA_COMPAT_LT_LE
#define lua_strlen(L, i) lua_rawlen(L, (i))
#define lua_objlen(L, i) lua_rawlen(L, (i))
#define lua_equal(L, idx1, idx2) lua_compare(L, (idx1), (idx2), LUA_OPEQ)
#define lua_lessthan(L, idx1, idx2) lua_compare(L, (idx1), (idx2), LUA_OPLT)
#endif

/* --- sizes that are part of the ABI */
#define LUAI_MAXSTACK 1000000                /* LUA_REGISTRYINDEX depends on it */
#define LUA_EXTRASPACE (sizeof(void *))      /* bytes of the host's before each lua_State */
#define LUA_IDSIZE 60                        /* of lua_Debug.short_src */
#define LUAL_BUFFERSIZE ((int)(16 * sizeof(void *) * sizeof(lua_Number)))
#define LUAI_MAXALIGN \
  lua_Number n;       \
  double u;           \
  void *s;            \
  lua_Integer i;      \
  long l

#endif
