/* Tables, metatables, references, user values. */
#include "random.h"

static const char *const kNames[] = {"key", "a", "n", "__index", "name"};
static const char *const kEvents[] = {"__index", "__newindex", "__add", "__sub", "__concat", "__len", "__eq", "__lt", "__le", "__call", "__unm",
                                      "__tostring", "__name", "__close", "__idiv", "__band", "__bnot", "__metatable"};

static const char *name(void) { return kNames[below(sizeof kNames / sizeof *kNames)]; }

int has_one_border(lua_State *L, int index) {
  lua_Integer last = 0, count = 0;
  luaL_checkstack(L, 5, "traversal");
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1) continue;
    ++count;
    if (lua_tointeger(L, -2) > last) last = lua_tointeger(L, -2);
  }
  return count == last;
}

void push_metatable(lua_State *L) {
  static int (*const kHandlers[])(lua_State *) = {body};
  luaL_checkstack(L, 5, "a metatable");
  lua_newtable(L);
  for (unsigned i = below(4); i-- > 0;) {
    const char *event = kEvents[below(sizeof kEvents / sizeof *kEvents)];
    if (event[2] == 'n' && event[3] == 'a') {
      lua_pushstring(L, "kind of");
    } else if (chance(25) && event[2] == 'i') {
      push_of(L, LUA_TTABLE);
    } else if (chance(40)) {
      lua_pushcfunction(L, kHandlers[0]);
    } else {
      push_function(L);
    }
    lua_setfield(L, -2, event);
  }
}

static void get(lua_State *L) {
  const int index = chance(85) ? index_of(L, LUA_TTABLE) : any_index(L);
  say("get %s ", luaL_typename(L, index));
  switch (below(4)) {
    case 0: say("%d", lua_getfield(L, index, name())); break;
    case 1: say("%d", lua_geti(L, index, (lua_Integer)below(6))); break;
    default: {
      const int absolute = lua_absindex(L, index);
      push_any(L);
      say("%d", lua_gettable(L, absolute));
    }
  }
}

static void raw_get(lua_State *L) {
  const int index = index_of(L, LUA_TTABLE);
  say("raw get ");
  switch (below(3)) {
    case 0: say("%d", lua_rawgeti(L, index, (lua_Integer)below(6))); break;
    case 1: say("%d", lua_rawgetp(L, index, (void *)16)); break;
    default: push_any(L), say("%d", lua_rawget(L, index));
  }
}

static void set(lua_State *L) {
  const int index = lua_absindex(L, chance(85) ? index_of(L, LUA_TTABLE) : any_index(L));
  say("set %s", luaL_typename(L, index));
  switch (below(3)) {
    case 0: push_any(L), lua_setfield(L, index, name()); break;
    case 1: push_any(L), lua_seti(L, index, (lua_Integer)below(6)); break;
    default: push_any(L), push_any(L), lua_settable(L, index);
  }
}

static void raw_set(lua_State *L) {
  const int index = index_of(L, LUA_TTABLE);
  say("raw set");
  switch (below(3)) {
    case 0: push_any(L), lua_rawseti(L, index, (lua_Integer)below(6)); break;
    case 1: push_any(L), lua_rawsetp(L, index, (void *)16); break;
    default: push_of(L, LUA_TSTRING), push_any(L), lua_rawset(L, index);
  }
}

/* What lua_next gives, in no order; fields may be cleared meanwhile. */
static void traverse(lua_State *L) {
  const int index = index_of(L, LUA_TTABLE), clears = chance(15);
  int sum = 0;
  say("next");
  for (lua_pushnil(L); lua_next(L, index) != 0;) {
    sum += (lua_type(L, -2) + 1) * (lua_type(L, -1) + 3);
    lua_pop(L, 1);
    if (clears) lua_pushvalue(L, -1), lua_pushnil(L), lua_rawset(L, index);
  }
  say(" %d", sum);
}

static void length(lua_State *L) {
  const int index = lua_absindex(L, any_index(L));
  if (lua_type(L, index) == LUA_TTABLE && !has_one_border(L, index)) return;
  say("length of %s ", luaL_typename(L, index));
  if (chance(50)) {
    say("%lld", (long long)luaL_len(L, index));
  } else {
    lua_len(L, index);
  }
}

static void set_metatable(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, chance(60) ? LUA_TTABLE : LUA_TUSERDATA));
  say("metatable");
  if (chance(20)) {
    lua_pushnil(L);
  } else {
    push_metatable(L);
  }
  lua_setmetatable(L, index);
}

static void get_metatable(lua_State *L) {
  const int index = any_index(L);
  const char *event = kEvents[below(sizeof kEvents / sizeof *kEvents)];
  if (lua_type(L, index) == LUA_TSTRING) return;
  switch (below(3)) {
    case 0: say("metatable: %d", lua_getmetatable(L, index)); break;
    case 1: say("field: %d", luaL_getmetafield(L, index, event)); break;
    default:
      say("call of %s", event);
      say(" %d", luaL_callmeta(L, index, event));
  }
}

static void reference(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TTABLE));
  lua_newtable(L);
  const int table = lua_gettop(L);
  say("references");
  for (unsigned i = 2 + below(6); i-- > 0;) {
    if (chance(30)) {
      luaL_unref(L, table, (int)below(6) - 1);
      break;
    }
    push_any(L);
    say(" %d", luaL_ref(L, table));
  }
  lua_pushvalue(L, table);
  lua_setfield(L, index, "references");
  lua_settop(L, table);
}

static void sub_table(lua_State *L) {
  const int index = index_of(L, LUA_TTABLE);
  const char *field = name();
  say("table in %s", field);
  say(" %d", luaL_getsubtable(L, index, field));
}

static void set_functions(lua_State *L) {
  static const luaL_Reg kFunctions[] = {{"body", body}, {"nothing", NULL}, {"again", body}, {NULL, NULL}};
  const int index = lua_absindex(L, index_of(L, LUA_TTABLE));
  say("functions");
  lua_pushvalue(L, index);
  push_any(L);
  luaL_setfuncs(L, kFunctions, 1);
}

static void user_value(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TUSERDATA)), which = (int)below(5);
  if (chance(50)) {
    say("user value %d: %d", which, lua_getiuservalue(L, index, which));
  } else {
    push_any(L);
    say("user value %d set: %d", which, lua_setiuservalue(L, index, which));
  }
}

static void type_of_userdata(lua_State *L) {
  say("typed: %d", luaL_newmetatable(L, "random.type"));
  lua_pop(L, 1);
  lua_newuserdatauv(L, below(20), 1);
  if (chance(70)) luaL_setmetatable(L, "random.type");
  say(" %d", luaL_testudata(L, -1, "random.type") != NULL);
  luaL_checkudata(L, any_index(L), "random.type");
}

static void globals(lua_State *L) {
  const char *global = name();
  if (chance(50)) {
    push_any(L);
    say("global %s set", global), lua_setglobal(L, global);
  } else {
    say("global %s: %d", global, lua_getglobal(L, global));
  }
}

const Operation table_operations[] = {get,       get,       get,          raw_get,       raw_set,    raw_set,          set,    set, set, traverse,
                                      length,    set_metatable, set_metatable, get_metatable, reference, sub_table, set_functions, user_value,
                                      type_of_userdata, globals};
const unsigned table_count = sizeof table_operations / sizeof *table_operations;
