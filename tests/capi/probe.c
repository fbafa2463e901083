/* A module whose function `run` executes a small program of API calls in its own frame, so that tests can be written in Lua:

     probe.run("pushint 3; pushvalue 1; arith 0; return 1", 4)   --> 7

   A command is the name of an API function without its prefix, then its arguments: numbers, words, or 'text; with anything'. Functions that
   return a value push it, as a boolean, number or string. `return N` ends with N results. Continuations are programs, too: their
   frame gets the status and the context, pushed. */
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "probe.h"

static int execute(lua_State *L, const char *program);

static const char *skip(const char *p) {
  while (*p == ' ' || *p == ';' || *p == '\n') ++p;
  return p;
}

/* The next word or quoted text; advances *p. */
static const char *word(lua_State *L, const char **p, char *out, size_t size) {
  size_t n = 0;
  const char *s = skip(*p);
  const char quote = *s == '\'' ? *s++ : 0;
  while (*s != 0 && (quote ? *s != quote : strchr(" ;\n", *s) == NULL)) {
    if (n + 1 >= size) luaL_error(L, "word too long");
    out[n++] = *s++;
  }
  if (quote && *s == quote) ++s;
  out[n] = 0;
  *p = s;
  return out;
}

static int number(lua_State *L, const char **p) {
  char text[40];
  word(L, p, text, sizeof text);
  if (*text == 'U') return lua_upvalueindex(atoi(text + 1));
  if (*text == 'R') return LUA_REGISTRYINDEX;
  if (*text == 'M') return LUA_MULTRET;
  return atoi(text);
}

/* What continuations are called with: programs that live as long as the module. */
static const char *keep(const char *text) { return strcpy((char *)malloc(strlen(text) + 1), text); }

static int continuation(lua_State *L, int status, lua_KContext context) {
  lua_pushinteger(L, status);
  return execute(L, (const char *)context);
}

static int closure_body(lua_State *L) { return execute(L, lua_tostring(L, lua_upvalueindex(1))); }

#define IS(name) (strcmp(op, name) == 0)
#define N number(L, &p)
#define W word(L, &p, text, sizeof text)

/* Commands come in groups; each returns 1 when it knew `op`. */
static int stack_command(lua_State *L, const char *op, const char **rest) {
  const char *p = *rest;
  char text[400];
  if (IS("pushnil")) lua_pushnil(L);
  else if (IS("pushint")) lua_pushinteger(L, N);
  else if (IS("pushnum")) lua_pushnumber(L, atof(W));
  else if (IS("pushbool")) lua_pushboolean(L, N);
  else if (IS("pushstr")) lua_pushstring(L, W);
  else if (IS("pushlight")) lua_pushlightuserdata(L, (void *)(size_t)N);
  else if (IS("pushvalue")) lua_pushvalue(L, N);
  else if (IS("pushthread")) lua_pushboolean(L, lua_pushthread(L));
  else if (IS("pushclosure")) { int n = N; lua_pushcclosure(L, closure_body, n); }
  else if (IS("pop")) lua_pop(L, N);
  else if (IS("settop")) lua_settop(L, N);
  else if (IS("gettop")) lua_pushinteger(L, lua_gettop(L));
  else if (IS("absindex")) lua_pushinteger(L, lua_absindex(L, N));
  else if (IS("remove")) { int i = N; lua_remove(L, i); }
  else if (IS("insert")) { int i = N; lua_insert(L, i); }
  else if (IS("replace")) { int i = N; lua_replace(L, i); }
  else if (IS("copy")) { int a = N, b = N; lua_copy(L, a, b); }
  else if (IS("rotate")) { int i = N, n = N; lua_rotate(L, i, n); }
  else if (IS("checkstack")) lua_pushboolean(L, lua_checkstack(L, N));
  else if (IS("toclose")) lua_toclose(L, N);
  else if (IS("closeslot")) lua_closeslot(L, N);
  else return 0;
  *rest = p;
  return 1;
}

static int value_command(lua_State *L, const char *op, const char **rest) {
  const char *p = *rest;
  int ok;
  size_t length;
  char text[400];
  if (IS("type")) lua_pushstring(L, lua_typename(L, lua_type(L, N)));
  else if (IS("isnumber")) lua_pushboolean(L, lua_isnumber(L, N));
  else if (IS("isstring")) lua_pushboolean(L, lua_isstring(L, N));
  else if (IS("iscfunction")) lua_pushboolean(L, lua_iscfunction(L, N));
  else if (IS("tocfunction")) lua_pushboolean(L, lua_tocfunction(L, N) != NULL);
  else if (IS("pushcfunction")) { int i = N; lua_pushcfunction(L, lua_tocfunction(L, i)); }
  else if (IS("runcfunction")) { lua_CFunction f = lua_tocfunction(L, N); lua_settop(L, N); lua_pushinteger(L, f(L)); }
  else if (IS("isinteger")) lua_pushboolean(L, lua_isinteger(L, N));
  else if (IS("isuserdata")) lua_pushboolean(L, lua_isuserdata(L, N));
  else if (IS("tonumber")) { lua_Number x = lua_tonumberx(L, N, &ok); lua_pushnumber(L, x); lua_pushboolean(L, ok); }
  else if (IS("tointeger")) { lua_Integer x = lua_tointegerx(L, N, &ok); lua_pushinteger(L, x); lua_pushboolean(L, ok); }
  else if (IS("toboolean")) lua_pushboolean(L, lua_toboolean(L, N));
  else if (IS("tostring")) { const char *s = lua_tolstring(L, N, &length); s ? lua_pushlstring(L, s, length) : (void)lua_pushnil(L); }
  else if (IS("Ltolstring")) { luaL_tolstring(L, N, &length); lua_pushinteger(L, (lua_Integer)length); }
  else if (IS("rawlen")) lua_pushinteger(L, (lua_Integer)lua_rawlen(L, N));
  else if (IS("rawequal")) { int a = N, b = N; lua_pushboolean(L, lua_rawequal(L, a, b)); }
  else if (IS("compare")) { int a = N, b = N, c = N; lua_pushboolean(L, lua_compare(L, a, b, c)); }
  else if (IS("arith")) lua_arith(L, N);
  else if (IS("concat")) lua_concat(L, N);
  else if (IS("len")) lua_len(L, N);
  else if (IS("Llen")) lua_pushinteger(L, luaL_len(L, N));
  else if (IS("stringtonumber")) lua_pushinteger(L, (lua_Integer)lua_stringtonumber(L, W));
  else return 0;
  *rest = p;
  return 1;
}

static int table_command(lua_State *L, const char *op, const char **rest) {
  const char *p = *rest;
  char text[400];
  if (IS("newtable")) lua_newtable(L);
  else if (IS("createtable")) { int a = N, b = N; lua_createtable(L, a, b); }
  else if (IS("newuserdata")) { int size = N, values = N; memset(lua_newuserdatauv(L, (size_t)size, values), 0, (size_t)size); }
  else if (IS("getglobal")) lua_getglobal(L, W);
  else if (IS("setglobal")) lua_setglobal(L, W);
  else if (IS("gettable")) lua_gettable(L, N);
  else if (IS("settable")) lua_settable(L, N);
  else if (IS("getfield")) { int i = N; lua_getfield(L, i, W); }
  else if (IS("setfield")) { int i = N; lua_setfield(L, i, W); }
  else if (IS("geti")) { int i = N, n = N; lua_geti(L, i, n); }
  else if (IS("seti")) { int i = N, n = N; lua_seti(L, i, n); }
  else if (IS("rawget")) lua_rawget(L, N);
  else if (IS("rawset")) lua_rawset(L, N);
  else if (IS("rawgeti")) { int i = N, n = N; lua_rawgeti(L, i, n); }
  else if (IS("rawseti")) { int i = N, n = N; lua_rawseti(L, i, n); }
  else if (IS("rawgetp")) { int i = N, n = N; lua_rawgetp(L, i, (void *)(size_t)n); }
  else if (IS("rawsetp")) { int i = N, n = N; lua_rawsetp(L, i, (void *)(size_t)n); }
  else if (IS("next")) lua_pushboolean(L, lua_next(L, N));
  else if (IS("getmetatable")) lua_pushboolean(L, lua_getmetatable(L, N));
  else if (IS("setmetatable")) lua_setmetatable(L, N);
  else if (IS("getiuservalue")) { int i = N, n = N; lua_pushinteger(L, lua_getiuservalue(L, i, n)); }
  else if (IS("setiuservalue")) { int i = N, n = N; lua_pushboolean(L, lua_setiuservalue(L, i, n)); }
  else if (IS("Lgetmetafield")) { int i = N; lua_pushinteger(L, luaL_getmetafield(L, i, W)); }
  else if (IS("Lcallmeta")) { int i = N; lua_pushboolean(L, luaL_callmeta(L, i, W)); }
  else if (IS("Lnewmetatable")) lua_pushboolean(L, luaL_newmetatable(L, W));
  else if (IS("Lsetmetatable")) luaL_setmetatable(L, W);
  else if (IS("Ltestudata")) { int i = N; lua_pushboolean(L, luaL_testudata(L, i, W) != NULL); }
  else if (IS("Lcheckudata")) { int i = N; luaL_checkudata(L, i, W); }
  else if (IS("Lgetsubtable")) { int i = N; lua_pushboolean(L, luaL_getsubtable(L, i, W)); }
  else if (IS("Lref")) lua_pushinteger(L, luaL_ref(L, N));
  else if (IS("Lunref")) { int i = N, n = N; luaL_unref(L, i, n); }
  else return 0;
  *rest = p;
  return 1;
}

/* *results: what the running program returns, when a call ends it. */
static int call_command(lua_State *L, const char *op, const char **rest, int *results) {
  const char *p = *rest;
  char text[400];
  if (IS("call")) { int n = N, r = N; lua_call(L, n, r); }
  else if (IS("pcall")) { int n = N, r = N, h = N; lua_pushinteger(L, lua_pcall(L, n, r, h)); }
  else if (IS("callk")) {
    int n = N, r = N;
    const char *program = keep(W);
    lua_callk(L, n, r, (lua_KContext)program, continuation);
    *results = continuation(L, LUA_OK, (lua_KContext)program);
  } else if (IS("pcallk")) {
    int n = N, r = N, h = N;
    const char *program = keep(W);
    *results = continuation(L, lua_pcallk(L, n, r, h, (lua_KContext)program, continuation), (lua_KContext)program);
  } else if (IS("yield")) *results = lua_yield(L, N);
  else if (IS("yieldk")) {
    int n = N;
    *results = lua_yieldk(L, n, (lua_KContext)keep(W), continuation);
  } else if (IS("error")) lua_error(L);
  else if (IS("Lerror")) luaL_error(L, "%s", W);
  else if (IS("Lwhere")) luaL_where(L, N);
  else if (IS("Largerror")) { int i = N; luaL_argerror(L, i, W); }
  else if (IS("Ltypeerror")) { int i = N; luaL_typeerror(L, i, W); }
  else if (IS("Lcheckint")) lua_pushinteger(L, luaL_checkinteger(L, N));
  else if (IS("Lchecknum")) lua_pushnumber(L, luaL_checknumber(L, N));
  else if (IS("Lcheckstr")) lua_pushstring(L, luaL_checkstring(L, N));
  else if (IS("Loptint")) { int i = N, d = N; lua_pushinteger(L, luaL_optinteger(L, i, d)); }
  else if (IS("Loptstr")) { int i = N; lua_pushstring(L, luaL_optstring(L, i, W)); }
  else if (IS("Lchecktype")) { int i = N, t = N; luaL_checktype(L, i, t); }
  else if (IS("Lcheckany")) luaL_checkany(L, N);
  else if (IS("Lcheckstack")) { int n = N; luaL_checkstack(L, n, W); }
  else if (IS("isyieldable")) lua_pushboolean(L, lua_isyieldable(L));
  else if (IS("getupvalue")) { int i = N, n = N; lua_pushstring(L, lua_getupvalue(L, i, n)); }
  else if (IS("setupvalue")) { int i = N, n = N; lua_pushstring(L, lua_setupvalue(L, i, n)); }
  else if (IS("upvaluejoin")) { int a = N, b = N, c = N, d = N; lua_upvaluejoin(L, a, b, c, d); }
  else if (IS("sameupvalue")) { int a = N, b = N, c = N, d = N; lua_pushboolean(L, lua_upvalueid(L, a, b) == lua_upvalueid(L, c, d)); }
  else if (IS("collect")) lua_gc(L, LUA_GCCOLLECT);
  else if (IS("warning")) { int more = N; lua_warning(L, W, more); }
  else return 0;
  *rest = p;
  return 1;
}

static int execute(lua_State *L, const char *program) {
  const char *p = program;
  for (;;) {
    char op[40];
    int results = -1;
    p = skip(p);
    if (*p == 0) return 0;
    word(L, &p, op, sizeof op);
    if (IS("return")) {
      const int n = number(L, &p);
      return n == LUA_MULTRET ? lua_gettop(L) : n;
    }
    if (!stack_command(L, op, &p) && !value_command(L, op, &p) && !table_command(L, op, &p) &&
        !call_command(L, op, &p, &results)) {
      return luaL_error(L, "unknown command '%s'", op);
    }
    if (results >= 0) return results;
  }
}

static int run(lua_State *L) {
  const char *program = keep(luaL_checkstring(L, 1));
  lua_remove(L, 1);
  return execute(L, program);
}

/* A C function whose first upvalue is the program that it runs. */
static int make(lua_State *L) {
  lua_pushcclosure(L, closure_body, lua_gettop(L));
  return 1;
}

int luaopen_probe(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", run}, {"make", make}, {NULL, NULL}};
  luaL_newlib(L, functions);
  add_buffer_functions(L);
  add_thread_functions(L);
  add_debug_functions(L);
  return 1;
}
