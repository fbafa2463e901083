/* Values: making them, moving them on the stack, converting, arithmetic. */
#include <string.h>

#include "random.h"

static const char *const kStrings[] = {"", "a", "key", "10", "0x10", " 7 ", "1e2", "-3.5", "0x1p4", "9223372036854775807", "9223372036854775808",
                                       "nan", "__index", "1", "n", "a somewhat longer string that is not kept in the table of short strings"};
static const lua_Integer kIntegers[] = {0, 1, 2, 3, 4, 5, 7, -1, -2, 10, 64, 255, 1 << 20, LUA_MAXINTEGER, LUA_MININTEGER, LUA_MAXINTEGER - 1};
static const lua_Number kNumbers[] = {0.0, -0.0, 0.5, 1.0, 2.0, -3.0, 1e15, 1e100, 3.25, 9007199254740993.0, 9223372036854775808.0, -1e308 * 10};

void push_string(lua_State *L) {
  if (chance(15)) {
    lua_pushlstring(L, "a\0b\0c", below(6));
  } else {
    lua_pushstring(L, kStrings[below(sizeof kStrings / sizeof *kStrings)]);
  }
}

static void push_userdata(lua_State *L) {
  char *block = lua_newuserdatauv(L, below(40), (int)below(4));
  (void)block;
  if (chance(50)) push_metatable(L), lua_setmetatable(L, -2);
}

static void push_table(lua_State *L) {
  lua_createtable(L, (int)below(5), (int)below(5));
  const int count = (int)below(5);
  for (int i = 1; i <= count; ++i) lua_pushinteger(L, kIntegers[below(8)]), lua_rawseti(L, -2, i);
  if (chance(40)) push_string(L), lua_setfield(L, -2, kStrings[below(4)]);
  if (chance(30)) push_metatable(L), lua_setmetatable(L, -2);
}

void push_of(lua_State *L, int type) {
  luaL_checkstack(L, 20, "a value");
  switch (type) {
    case LUA_TBOOLEAN: lua_pushboolean(L, (int)below(2)); break;
    case LUA_TLIGHTUSERDATA: lua_pushlightuserdata(L, (void *)(size_t)(below(3) * 16)); break;
    case LUA_TNUMBER:
      if (chance(60)) {
        lua_pushinteger(L, kIntegers[below(sizeof kIntegers / sizeof *kIntegers)]);
      } else {
        lua_pushnumber(L, kNumbers[below(sizeof kNumbers / sizeof *kNumbers)]);
      }
      break;
    case LUA_TSTRING: push_string(L); break;
    case LUA_TTABLE: push_table(L); break;
    case LUA_TFUNCTION: push_function(L); break;
    case LUA_TUSERDATA: push_userdata(L); break;
    case LUA_TTHREAD: lua_newthread(L); break;
    default: lua_pushnil(L);
  }
}

void push_any(lua_State *L) {
  static const int kTypes[] = {LUA_TNIL,   LUA_TBOOLEAN, LUA_TLIGHTUSERDATA, LUA_TNUMBER,   LUA_TNUMBER, LUA_TNUMBER,
                               LUA_TSTRING, LUA_TSTRING, LUA_TTABLE,         LUA_TTABLE, LUA_TFUNCTION, LUA_TUSERDATA};
  push_of(L, kTypes[below(sizeof kTypes / sizeof *kTypes)]);
}

int any_index(lua_State *L) {
  if (lua_gettop(L) == 0) push_any(L);
  const int index = 1 + (int)below((unsigned)lua_gettop(L));
  return chance(50) ? index : index - lua_gettop(L) - 1;
}

int index_of(lua_State *L, int type) {
  const int top = lua_gettop(L), first = top == 0 ? 0 : (int)below((unsigned)top);
  for (int i = 0; i < top; ++i) {
    const int index = 1 + (first + i) % top;
    if (lua_type(L, index) == type) return index;
  }
  push_of(L, type);
  return lua_gettop(L);
}

static void push(lua_State *L) { say("push"), push_any(L); }
static void push_copy(lua_State *L) { say("copy of"), lua_pushvalue(L, any_index(L)); }

static void push_format(lua_State *L) {
  static const char *const kFormats[] = {"%s", "<%s|%d>", "%% %s %c", "%s%s"};
  say("format");
  switch (below(5)) {
    case 0: lua_pushfstring(L, "%f and %I", kNumbers[below(9)], (LUAI_UACINT)kIntegers[below(10)]); break;
    case 1: lua_pushfstring(L, "%U %%", (long)below(0x11ffff)); break;
    default: lua_pushfstring(L, kFormats[0], kStrings[below(8)]);
  }
}

static void move(lua_State *L) {
  const int index = any_index(L);
  switch (below(6)) {
    case 0: say("insert"), lua_insert(L, index); break;
    case 1: say("remove"), lua_remove(L, index); break;
    case 2: say("replace"), lua_replace(L, index); break;
    case 3: say("copy"), lua_copy(L, index, any_index(L)); break;
    case 4: {
      const int absolute = lua_absindex(L, index), range = lua_gettop(L) - absolute + 1;
      const int by = (int)below((unsigned)(2 * range + 1)) - range;
      say("rotate %d by %d", index, by), lua_rotate(L, index, by);
      break;
    }
    default: say("absolute %d", lua_absindex(L, index));
  }
}

static void set_top(lua_State *L) {
  const int top = (int)below((unsigned)lua_gettop(L) + 4);
  say("top %d", top);
  if (top <= lua_gettop(L) && chance(30)) {
    lua_pop(L, lua_gettop(L) - top);
  } else {
    lua_settop(L, top);
  }
}

static void check_stack(lua_State *L) {
  const int wanted = chance(20) ? 2000000 : (int)below(2000);
  say("room for %d: %d", wanted, lua_checkstack(L, wanted));
}

static void convert(lua_State *L) {
  const int index = any_index(L);
  int is_it = 0;
  switch (below(8)) {
    case 0: {
      const lua_Integer value = lua_tointegerx(L, index, &is_it);
      say("integer %d %lld", is_it, (long long)value);
      break;
    }
    case 1: {
      const lua_Number value = lua_tonumberx(L, index, &is_it);
      if (value == value) say("number %d %.17g", is_it, value);
      break;
    }
    case 2: {
      size_t length = 0;
      const char *text = lua_tolstring(L, index, &length);
      say("string %d %d", text != NULL, (int)length);
      break;
    }
    case 3: say("length %d", lua_type(L, index) == LUA_TTABLE && !has_one_border(L, lua_absindex(L, index)) ? -1 : (int)lua_rawlen(L, index)); break;
    case 4:
      say("is %d%d%d%d%d %s", lua_isnumber(L, index), lua_isstring(L, index), lua_iscfunction(L, index), lua_isinteger(L, index),
          lua_isuserdata(L, index), luaL_typename(L, index));
      break;
    case 5:
      say("to %d%d%d%d", lua_toboolean(L, index), lua_touserdata(L, index) != NULL, lua_tothread(L, index) != NULL, lua_tocfunction(L, index) != NULL);
      say("%d", (lua_topointer(L, index) != NULL));
      break;
    case 6:
      say("parsed %d", (int)lua_stringtonumber(L, kStrings[below(sizeof kStrings / sizeof *kStrings)]));
      break;
    default: say("none %d", lua_type(L, lua_gettop(L) + 1 + (int)below(5)));
  }
}

static void arithmetic(lua_State *L) {
  const int operation = (int)below(LUA_OPBNOT + 1);
  lua_pushvalue(L, any_index(L));
  if (operation != LUA_OPUNM && operation != LUA_OPBNOT) lua_pushvalue(L, any_index(L));
  say("arithmetic %d", operation);
  lua_arith(L, operation);
}

static void compare(lua_State *L) {
  const int a = any_index(L), b = lua_gettop(L) + (int)below(2), operation = (int)below(3);
  say("compare %d: ", operation);
  say("%d", lua_compare(L, a, b, operation));
}

static void equality(lua_State *L) { say("raw equal: %d", lua_rawequal(L, any_index(L), any_index(L))); }

const Operation value_operations[] = {push,    push,       push,    push_copy,  push_copy, push_format, move,     move,
                                      set_top, check_stack, convert, convert, convert,   arithmetic,  arithmetic, compare, equality};
const unsigned value_count = sizeof value_operations / sizeof *value_operations;
