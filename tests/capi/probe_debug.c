/* lua_getinfo and its relatives, hooks, tracebacks. */
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "probe.h"

static void set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, lua_Integer number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

static void push_record(lua_State *L, const char *what, const lua_Debug *ar) {
  lua_newtable(L);
  if (strchr(what, 'S')) {
    set_text(L, "source", ar->source);
    set_text(L, "short_src", ar->short_src);
    set_text(L, "what", ar->what);
    set_number(L, "srclen", (lua_Integer)ar->srclen);
    set_number(L, "linedefined", ar->linedefined);
    set_number(L, "lastlinedefined", ar->lastlinedefined);
  }
  if (strchr(what, 'l')) set_number(L, "currentline", ar->currentline);
  if (strchr(what, 'u')) {
    set_number(L, "nups", ar->nups);
    set_number(L, "nparams", ar->nparams);
    set_number(L, "isvararg", ar->isvararg);
  }
  if (strchr(what, 'n')) {
    set_text(L, "name", ar->name);
    set_text(L, "namewhat", ar->namewhat);
  }
  if (strchr(what, 't')) set_number(L, "istailcall", ar->istailcall);
}

/* info(what, level or function): table, and what 'f' and 'L' push */
static int info(lua_State *L) {
  lua_Debug ar;
  char options[20] = ">";
  const char *what = luaL_checkstring(L, 1);
  int ok;
  if (lua_isfunction(L, 2)) {
    lua_settop(L, 2);
    ok = lua_getinfo(L, strcat(options, what), &ar);
  } else {
    if (!lua_getstack(L, (int)luaL_checkinteger(L, 2), &ar)) return 0;
    ok = lua_getinfo(L, what, &ar);
  }
  push_record(L, what, &ar);
  lua_insert(L, 2);
  lua_pushboolean(L, ok);
  lua_insert(L, 2);
  return lua_gettop(L) - 1;
}

static int locals(lua_State *L) {
  lua_Debug ar;
  const int level = (int)luaL_checkinteger(L, 1);
  int n;
  luaL_Buffer b;
  if (!lua_getstack(L, level, &ar)) return 0;
  luaL_buffinit(L, &b);
  for (n = 1;; ++n) {
    const char *name = lua_getlocal(L, &ar, n);
    if (name == NULL) break;
    lua_pop(L, 1);
    luaL_addstring(&b, name);
    luaL_addchar(&b, ' ');
  }
  luaL_pushresult(&b);
  return 1;
}

static int set_local(lua_State *L) {
  lua_Debug ar;
  const int level = (int)luaL_checkinteger(L, 1), n = (int)luaL_checkinteger(L, 2);
  if (!lua_getstack(L, level, &ar)) return luaL_error(L, "no level");
  lua_settop(L, 3);
  lua_pushstring(L, lua_setlocal(L, &ar, n));
  lua_pushinteger(L, lua_gettop(L) - 1);   /* a value that was not stored is left */
  return 2;
}

static int parameter(lua_State *L) {
  const int n = (int)luaL_checkinteger(L, 2);
  lua_pushvalue(L, 1);
  lua_pushstring(L, lua_getlocal(L, NULL, n));
  lua_pushinteger(L, lua_gettop(L) - 1);   /* the function is left */
  return 2;
}

static int traceback(lua_State *L) {
  luaL_traceback(L, lua_isthread(L, 1) ? lua_tothread(L, 1) : L, luaL_optstring(L, 2, NULL), (int)luaL_optinteger(L, 3, 0));
  return 1;
}

/* What hooks saw, appended to registry["probe.log"]. */
static void note(lua_State *L, lua_Debug *ar) {
  static const char *const names[] = {"call", "return", "line", "count", "tail call"};
  char text[200] = "";
  lua_getinfo(L, "nSlt", ar);
  if (ar->event == LUA_HOOKLINE) {
    lua_pushfstring(L, "line %d; ", ar->currentline);
  } else if (ar->event == LUA_HOOKCOUNT) {
    lua_pushstring(L, "count; ");
  } else {
    lua_pushfstring(L, "%s %s %s; ", names[ar->event], ar->what, ar->name ? ar->name : "?");
  }
  strncat(text, lua_tostring(L, -1), sizeof text - 1);
  lua_pop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.log");
  lua_pushstring(L, text);
  lua_concat(L, 2);
  lua_setfield(L, LUA_REGISTRYINDEX, "probe.log");
}

static void raise_in_hook(lua_State *L, lua_Debug *ar) {
  lua_sethook(L, NULL, 0, 0);
  (void)ar;
  luaL_error(L, "raised by a hook");
}

static void yield_in_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  lua_yield(L, 0);
}

static int set_hook(lua_State *L) {
  static const struct {
    const char *name;
    lua_Hook hook;
  } hooks[] = {{"note", note}, {"raise", raise_in_hook}, {"yield", yield_in_hook}};
  lua_State *T = lua_isthread(L, 4) ? lua_tothread(L, 4) : L;
  const char *name = luaL_optstring(L, 1, NULL);
  lua_Hook hook = NULL;
  size_t i;
  for (i = 0; name != NULL && i < 3; ++i) {
    if (strcmp(hooks[i].name, name) == 0) hook = hooks[i].hook;
  }
  lua_pushstring(L, "");
  lua_setfield(L, LUA_REGISTRYINDEX, "probe.log");
  lua_sethook(T, hook, (int)luaL_optinteger(L, 2, 0), (int)luaL_optinteger(L, 3, 0));
  lua_pushboolean(L, lua_gethook(T) == hook);
  lua_pushinteger(L, lua_gethookmask(T));
  lua_pushinteger(L, lua_gethookcount(T));
  return 3;
}

static int hook_log(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.log");
  return 1;
}

/* Takes the hook away, calls its argument, and puts the hook back. */
static int without_hook(lua_State *L) {
  lua_Hook hook = lua_gethook(L);
  const int mask = lua_gethookmask(L), count = lua_gethookcount(L);
  lua_sethook(L, NULL, 0, 0);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  lua_sethook(L, hook, mask, count);
  return lua_gettop(L);
}

static void collect_warning(void *data, const char *message, int more) {
  lua_State *L = (lua_State *)data;
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.warnings");
  lua_pushfstring(L, "%s%s", message, more ? "+" : ";");
  lua_concat(L, 2);
  lua_setfield(L, LUA_REGISTRYINDEX, "probe.warnings");
}

static int catch_warnings(lua_State *L) {
  lua_pushstring(L, "");
  lua_setfield(L, LUA_REGISTRYINDEX, "probe.warnings");
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  lua_setwarnf(L, collect_warning, lua_tothread(L, -1));
  return 0;
}

static int warnings(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.warnings");
  return 1;
}

void add_debug_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"info", info},         {"locals", locals},     {"setlocal", set_local},   {"parameter", parameter},
      {"traceback", traceback}, {"sethook", set_hook}, {"hook_log", hook_log},   {"without_hook", without_hook},
      {"catch_warnings", catch_warnings}, {"warnings", warnings}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
