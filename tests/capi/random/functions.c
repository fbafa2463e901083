/* Functions: of C and of Lua, calls, errors, upvalues, chunks, variables to be closed, what the debug interface says. */
#include <string.h>

#include "random.h"

/* What calls its arguments may come to call itself, more than once. */
#define kSeldom "times = (times or 0) + 1 if times > 40 then return end "

static const char *const kChunks[] = {
    "return ...",
    "local a, b = ... return b, a",
    "local up = ... local function f(x) up = x or up return up end f(1) return f",
    kSeldom "local f, n = ... local r for i = 1, 60 do r = f(i, n) end return r",
    "local t = ... for i = 1, 100 do t[i % 5 + 1] = i end return #t",
    "local s = 0 for i = 1, 300 do s = s + i % 7 end return s, ...",
    "error({code = 7})",
    "error('text', 2)",
    "error()",
    kSeldom "local f = ... return f(select(2, ...))",
    kSeldom "return select('#', ...), pcall(...)",
    "local c <close> = setmetatable({}, {__close = function(_, e) closed = (closed or 0) + 1 end}) return (...)(2)",
    "local a, b = ... return a + b, a .. b",
    kSeldom "local a, b = ... for i = 1, 80 do local c = a < b end return a < b",
    "local co = coroutine.wrap(function(...) for i = 1, 3 do coroutine.yield(i, ...) end return 'end' end) return co(...), co(), co(), co()",
    "local u, v, w = 1, 2, 3 return function() return u, v end, function(x) v, w = x, u return w end",
    "return coroutine.yield(...)",
    kSeldom "local o = setmetatable({}, {__index = ...}) local x for i = 1, 50 do x = o[i] end return x",
    "return table.unpack({...}, 1, 3)",
    kSeldom "local function r(n, f) if n == 0 then return f(n) end return 1, r(n - 1, f) end return r(3, ...)",
};

/* Of kChunks: returns two that share upvalues. */
enum { kTwoFunctions = 15 };

static int adds(lua_State *L) {
  luaL_checkstack(L, 20, "upvalues");
  lua_pushvalue(L, lua_upvalueindex(1));
  if (lua_gettop(L) > 1) {
    lua_pushvalue(L, 1);
    lua_replace(L, lua_upvalueindex(1));
  }
  say("[%d %d]", lua_type(L, lua_upvalueindex(2)), lua_isnone(L, lua_upvalueindex(3)));
  return 1;
}

static int raises(lua_State *L) {
  luaL_checkstack(L, 20, "an error");
  if (chance(50)) return luaL_error(L, "raised with %d values", lua_gettop(L));
  if (lua_gettop(L) == 0) push_any(L);
  return lua_error(L);
}

static int checks_arguments(lua_State *L) {
  static const char *const kOptions[] = {"a", "key", NULL};
  switch (below(7)) {
    case 0: luaL_checkinteger(L, 1); break;
    case 1: luaL_checknumber(L, 2); break;
    case 2: luaL_checklstring(L, 1, NULL); break;
    case 3: lua_pushinteger(L, luaL_checkoption(L, 1, "a", kOptions)); break;
    case 4: luaL_checktype(L, 1, LUA_TTABLE); break;
    case 5: luaL_argerror(L, 1 + (int)below(3), "of no use"); break;
    default: lua_pushinteger(L, luaL_optinteger(L, 1, 5));
  }
  return 1;
}

static int continues(lua_State *L, int status, lua_KContext context) {
  /* Whether it is called without a yield, after an error below it was caught, is open. */
  say("[continues %d %d]", status > LUA_YIELD ? status : LUA_OK, (int)context);
  if (chance(20)) return luaL_error(L, "in the continuation");
  run_operations(L, (int)below(5));
  return lua_gettop(L) > 2 ? 2 : lua_gettop(L);
}

static int yields(lua_State *L) {
  const int count = (int)below((unsigned)lua_gettop(L) + 1);
  if (!lua_isyieldable(L) && chance(80)) return count;
  if (chance(50)) return lua_yieldk(L, count, 3, continues);
  return lua_yield(L, count);
}

/* A protected call that may be yielded across. */
static int calls_with_continuation(lua_State *L) {
  lua_settop(L, lua_gettop(L) > 5 ? 5 : lua_gettop(L));
  luaL_checkstack(L, 20, "a call");
  push_function(L);
  push_any(L);
  if (chance(50)) return continues(L, lua_pcallk(L, 1, 2, 0, 5, continues), 5);
  lua_callk(L, 1, LUA_MULTRET, 6, continues);
  return continues(L, LUA_OK, 6);
}

static int closes(lua_State *L) {
  luaL_checkstack(L, 20, "variables to be closed");
  lua_settop(L, 0);
  const int count = 1 + (int)below(2);
  for (int i = 0; i < count; ++i) {
    lua_newtable(L);
    lua_newtable(L);
    if (chance(80)) {
      push_function(L);
      lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    if (chance(15)) lua_pop(L, 1), lua_pushnil(L);
    lua_toclose(L, i + 1);
  }
  push_any(L);
  switch (below(6)) {
    case 0: return luaL_error(L, "with variables to be closed");
    case 1: lua_settop(L, (int)below((unsigned)count + 1)); return lua_gettop(L);
    case 2:
      if (lua_toboolean(L, count)) lua_closeslot(L, count);
      say("[%s]", luaL_typename(L, count));
      return 1;
    case 3: return lua_isyieldable(L) ? lua_yieldk(L, 1, 9, continues) : 1;
    default: return (int)below((unsigned)lua_gettop(L) + 1);
  }
}

static int handles(lua_State *L) {
  luaL_checkstack(L, 20, "a message");
  if (chance(10)) return luaL_error(L, "in the handler");
  lua_pushfstring(L, "handled %s", luaL_typename(L, 1));
  return 1;
}

static void push_chunk(lua_State *L) {
  const char *text = kChunks[below(sizeof kChunks / sizeof *kChunks)];
  if (luaL_loadbufferx(L, text, strlen(text), "=chunk", "t") != LUA_OK) say("does not load");
}

void push_function(lua_State *L) {
  static int (*const kFunctions[])(lua_State *) = {body, raises, yields, checks_arguments, closes, calls_with_continuation};
  if (chance(45)) {
    push_chunk(L);
  } else if (chance(20)) {
    push_any(L);
    lua_pushinteger(L, 1);
    lua_pushcclosure(L, adds, 2);
  } else {
    lua_pushcfunction(L, kFunctions[below(sizeof kFunctions / sizeof *kFunctions)]);
  }
}

static int push_call(lua_State *L) {
  luaL_checkstack(L, 20, "a call");
  if (chance(70)) {
    lua_pushvalue(L, index_of(L, LUA_TFUNCTION));
  } else {
    push_function(L);
  }
  const int arguments = (int)below(4);
  for (int i = 0; i < arguments; ++i) push_any(L);
  return arguments;
}

static void call(lua_State *L) {
  say("call\n");
  const int arguments = push_call(L);
  lua_call(L, arguments, (int)below(4) - 1);
}

static void protected_call(lua_State *L) {
  int handler = 0;
  if (chance(40)) lua_pushcfunction(L, handles), handler = lua_gettop(L);
  const int arguments = push_call(L), results = (int)below(4) - 1;
  say("pcall %d %d\n", arguments, results);
  const int status = lua_pcall(L, arguments, results, handler);
  say("ends with %d", status);
}

static void load(lua_State *L) {
  static const char *const kWrong[] = {"return return", "x =", "goto nowhere", "local x <const> = 1 x = 2", "return '\\q'", "\33Lua", "for"};
  const char *text = kWrong[below(sizeof kWrong / sizeof *kWrong)];
  if (chance(50)) return push_chunk(L), say("chunk");
  say("load: %d", luaL_loadstring(L, text));
}

static int writes(lua_State *L, const void *data, size_t size, void *buffer) {
  (void)L;
  luaL_addlstring(buffer, data, size);
  return 0;
}

/* The text of a dump is open; that it can be loaded and is the same function is not. */
static void dump(lua_State *L) {
  luaL_Buffer buffer;
  lua_pushvalue(L, index_of(L, LUA_TFUNCTION));
  const int function = lua_gettop(L);
  luaL_buffinit(L, &buffer);
  lua_pushvalue(L, function);
  if (lua_iscfunction(L, -1)) {
    luaL_pushresult(&buffer);
    say("no dump: %d", lua_dump(L, writes, &buffer, 0));
    return;
  }
  lua_settop(L, function);
  luaL_buffinit(L, &buffer);
  const int status = lua_dump(L, writes, &buffer, chance(50));
  luaL_pushresult(&buffer);
  size_t size;
  const char *data = lua_tolstring(L, -1, &size);
  say("dump %d, load %d", status, luaL_loadbufferx(L, data, size, "dumped", chance(80) ? "b" : "t"));
  lua_remove(L, -2);
}

static void upvalues(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TFUNCTION)), which = 1 + (int)below(3);
  const char *upvalue;
  switch (below(3)) {
    case 0:
      upvalue = lua_getupvalue(L, index, which);
      say("upvalue %d: %s", which, upvalue == NULL ? "none" : upvalue);
      break;
    case 1:
      push_any(L);
      upvalue = lua_setupvalue(L, index, which);
      say("upvalue %d set: %s", which, upvalue == NULL ? "none" : upvalue);
      break;
    default: say("upvalue %d is there: %d", which, lua_upvalueid(L, index, which) != NULL);
  }
}

static void join(lua_State *L) {
  luaL_checkstack(L, 20, "functions");
  luaL_loadstring(L, kChunks[kTwoFunctions]);
  lua_call(L, 0, 2);
  const int second = lua_gettop(L), first = second - 1;
  say("join %d", lua_upvalueid(L, first, 2) == lua_upvalueid(L, second, 1));
  lua_upvaluejoin(L, first, 1 + (int)below(2), second, 1 + (int)below(3));
  lua_pushvalue(L, first);
  lua_call(L, 0, 2);
}

static void info(lua_State *L) {
  lua_Debug activation;
  memset(&activation, 0, sizeof activation);
  if (chance(50)) {
    lua_pushvalue(L, index_of(L, LUA_TFUNCTION));
    lua_getinfo(L, ">Su", &activation);
    say("function %s %s %d-%d %d %d %d", activation.what, activation.short_src, activation.linedefined, activation.lastlinedefined, activation.nups, activation.nparams, activation.isvararg);
    return;
  }
  const int level = (int)below(4);
  if (!lua_getstack(L, level, &activation)) return say("no level %d", level);
  lua_getinfo(L, "nSltu", &activation);
  say("level %d: %s %s %s %d %d", level, activation.what, activation.namewhat, activation.name == NULL ? "-" : activation.name, activation.currentline, activation.istailcall);
  if (*activation.what == 'C') return;
  const char *local = lua_getlocal(L, &activation, 1 + (int)below(3));
  say(" %s", local == NULL ? "none" : local);
}

static void traceback(lua_State *L) {
  luaL_traceback(L, L, chance(50) ? "message" : NULL, (int)below(3));
  lua_pop(L, 1);
  luaL_where(L, (int)below(3));
  say("where");
}

static void raise_now(lua_State *L) {
  if (chance(60)) return say("no error");
  say("error\n");
  if (chance(50)) {
    luaL_error(L, "%s %d", "error", 5);
  } else {
    push_any(L);
    lua_error(L);
  }
}

const Operation function_operations[] = {call, protected_call, protected_call, protected_call, protected_call, load, dump, upvalues,
                                         upvalues, join, info, info, traceback, raise_now};
const unsigned function_count = sizeof function_operations / sizeof *function_operations;
