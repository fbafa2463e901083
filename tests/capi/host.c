/* A host of liblua5.4.so.0: what programs do that embed Lua. It prints the same with every library of that name. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static jmp_buf after_panic;

static int panic(lua_State *L) {
  printf("panic: %s\n", lua_tostring(L, -1));
  longjmp(after_panic, 1);
}

static int add(lua_State *L) {
  lua_pushnumber(L, luaL_checknumber(L, 1) + luaL_checknumber(L, 2));
  return 1;
}

static int fail(lua_State *L) { return luaL_error(L, "failed in %s", "C"); }

static int sum_k(lua_State *L, int status, lua_KContext context) {
  lua_pushfstring(L, "status %d context %d got %d", status, (int)context, (int)lua_tointeger(L, -1));
  return 1;
}

/* A C function that closes a variable at once cannot wait for a __close that yields; one that returns can. */
static int closes(lua_State *L) {
  lua_settop(L, 2);
  lua_toclose(L, 1);
  if (lua_toboolean(L, 2)) lua_closeslot(L, 1);
  lua_pushstring(L, "closed a variable");
  return 1;
}

static int waits(lua_State *L) { return lua_yieldk(L, 1, 77, sum_k); }

static int traceback(lua_State *L) {
  luaL_traceback(L, L, lua_tostring(L, 1), 1);
  return 1;
}

static int collected(lua_State *L) {
  int *value = (int *)luaL_checkudata(L, 1, "Host.Counter");
  printf("collected %d\n", *value);
  return 0;
}

static int counter(lua_State *L) {
  int *value = (int *)lua_newuserdatauv(L, sizeof(int), 0);
  *value = (int)luaL_checkinteger(L, 1);
  luaL_setmetatable(L, "Host.Counter");
  return 1;
}

static int increase(lua_State *L) {
  int *value = (int *)luaL_checkudata(L, 1, "Host.Counter");
  lua_pushinteger(L, ++*value);
  return 1;
}

static void setup(lua_State *L) {
  static const luaL_Reg methods[] = {{"__gc", collected}, {"increase", increase}, {NULL, NULL}};
  luaL_openlibs(L);
  luaL_newmetatable(L, "Host.Counter");
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  lua_register(L, "add", add);
  lua_register(L, "fail", fail);
  lua_register(L, "waits", waits);
  lua_register(L, "counter", counter);
}

static void run(lua_State *L, const char *text) {
  int base = lua_gettop(L);
  int status;
  lua_pushcfunction(L, traceback);
  status = luaL_loadbuffer(L, text, strlen(text), "=host");
  if (status == LUA_OK) status = lua_pcall(L, 0, LUA_MULTRET, base + 1);
  printf("%d:", status);
  for (base += 2; base <= lua_gettop(L); ++base) printf(" %s", luaL_tolstring(L, base, NULL)), lua_pop(L, 1);
  printf("\n");
  lua_settop(L, 0);
}

static void coroutines(lua_State *L) {
  int results, i;
  lua_State *T = lua_newthread(L);
  luaL_loadstring(T, "local a, b = ... local c = coroutine.yield(a + b) return waits(c), add(c, 1), #tostring(coroutine.running())> 0");
  lua_pushinteger(T, 3);
  lua_pushinteger(T, 4);
  for (i = 0; i < 4; ++i) {
    int status = lua_resume(T, L, i == 0 ? 2 : 1, &results);
    printf("resume %d, %d results:", status, results);
    for (int r = 1; r <= results; ++r) printf(" %s", luaL_tolstring(T, r - results - 1, NULL)), lua_pop(T, 1);
    printf(", status %d\n", lua_status(T));
    lua_pop(T, results);
    if (status != LUA_YIELD) break;
    lua_pushinteger(T, 10 * (i + 1));
  }
  printf("reset %d top %d\n", lua_resetthread(T), lua_gettop(T));
  lua_settop(L, 0);
}

static int resume_main(lua_State *L, int arguments) {
  int results = -1, i;
  const int status = lua_resume(L, NULL, arguments, &results);
  printf("main %d, status %d:", status, lua_status(L));
  if (status > LUA_YIELD) {
    printf(" %s\n", lua_isstring(L, -1) ? lua_tostring(L, -1) : luaL_typename(L, -1));
    return status;
  }
  for (i = 1; i <= lua_gettop(L); ++i) printf(" %s", lua_isstring(L, i) ? lua_tostring(L, i) : lua_toboolean(L, i) ? "true" : "false");
  printf("\n");
  lua_settop(L, 0);
  return status;
}

/* The main thread as a coroutine of the host: it yields, is used meanwhile, yields from C, fails, starts again, and is closed suspended. */
static void resumed_main(void) {
  lua_State *L = luaL_newstate();
  int results;
  setup(L);
  resume_main(L, 0);
  lua_settop(L, 0);
  luaL_loadstring(L, "local a = ...; local b = coroutine.yield(a, select(2, coroutine.running()), coroutine.isyieldable()) "
                     "local inner = coroutine.wrap(function() return coroutine.yield(b) end) "
                     "return inner(), inner(7), waits(a), pcall(coroutine.yield, 'caught')");
  lua_pushinteger(L, 1);
  resume_main(L, 1);
  run(L, "return coroutine.running(), pcall(coroutine.yield)");
  run(L, "return debug.traceback('')");
  lua_gc(L, LUA_GCCOLLECT);
  lua_pushinteger(L, 20);
  resume_main(L, 1);
  resume_main(L, 0);
  resume_main(L, 0);
  run(L, "return coroutine.isyieldable(), pcall(coroutine.yield)");
  luaL_loadstring(L, "local s = 0 for i = 1, 1000 do s = s + coroutine.yield(i) end return s");
  while (lua_resume(L, NULL, lua_status(L) == LUA_YIELD, &results) == LUA_YIELD) lua_settop(L, 1);
  printf("sum %d\n", (int)lua_tointeger(L, -1));
  lua_settop(L, 0);
  luaL_loadstring(L, "local x <close> = setmetatable({}, {__close = function(_, e) print('closing', type(e)) end}) error({})");
  resume_main(L, 0);
  printf("reset %d", lua_resetthread(L));
  printf(", status %d, %s\n", lua_status(L), luaL_typename(L, -1));
  lua_settop(L, 0);
  run(L, "return 'as before', coroutine.isyieldable()");
  luaL_loadstring(L, "local x <close> = setmetatable({}, {__close = print and function(_, e) print('closing', e) end}) coroutine.yield()");
  resume_main(L, 0);
  lua_close(L);
}

static int lines;
static void count_lines(lua_State *L, lua_Debug *ar) {
  lua_getinfo(L, "Sl", ar);
  if (ar->event == LUA_HOOKLINE) lines = lines * 10 + ar->currentline;
}

static void stop(lua_State *L, lua_Debug *ar) {
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "interrupted");
}

static void *limited(void *data, void *block, size_t old_size, size_t new_size) {
  (void)data, (void)old_size;
  if (new_size != 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

int main(void) {
  lua_State *L = luaL_newstate();
  lua_State *M;
  setup(L);
  printf("%s %.0f top %d\n", LUA_VERSION, lua_version(L), lua_gettop(L));
  run(L, "return add(1, 2.5), _VERSION, type(io.write), math.type(1)");
  run(L, "return fail()");
  run(L, "local t = nil; return t.x");
  run(L, "return pcall(fail)");
  run(L, "x = = 1");
  run(L, "local c = counter(5) c:increase() return c:increase(), select('#', c)");
  run(L, "return pcall(counter(0).increase, 5)");
  run(L, "collectgarbage() return 'after a collection'");
  run(L, "local s = 0 for i = 1, 200000 do s = add(s, i) end return s");
  run(L, "return string.format('%5.2f|%s|%q', 3.14159, {} ~= nil, 'q'), ('x'):rep(3, ','), #string.dump(function() end) > 10");
  run(L, "return select(2, load('return 1', 'n', 'b'))");
  run(L, "error({code = 5})");
  run(L, "return require('string') == string, package.loaded._G == _G, jit == nil or true");
  lua_register(L, "closes", closes);
  run(L, "local o = setmetatable({}, {__close = function() coroutine.yield('closing') end}) "
         "local one = coroutine.wrap(closes) return one(o, false), one(), pcall(coroutine.wrap(closes), o, true)");
  coroutines(L);
  lua_sethook(L, count_lines, LUA_MASKLINE, 0);
  run(L, "local x = 1\nx = x + 1\nreturn x");
  lua_sethook(L, stop, LUA_MASKCOUNT, 100000);
  run(L, "while true do end");
  printf("lines %d\n", lines);
  lua_atpanic(L, panic);
  if (setjmp(after_panic) == 0) {
    lua_pushstring(L, "nobody catches");
    lua_error(L);
  }
  printf("gc %d %d %d\n", lua_gc(L, LUA_GCCOUNT) > 0, lua_gc(L, LUA_GCISRUNNING), lua_gc(L, LUA_GCCOLLECT));
  M = lua_newstate(limited, NULL);
  luaL_requiref(M, "_G", luaopen_base, 1);
  luaL_requiref(M, "string", luaopen_string, 0);
  lua_settop(M, 0);
  run(M, "return type(print), type(string), type(io), ('x'):upper()");
  lua_close(M);
  run(L, "keep = counter(100) setmetatable({}, {__gc = function() print('closing') end}) return 'last'");
  lua_close(L);
  resumed_main();
  printf("closed\n");
  return 0;
}
