/* Strings: concatenation, buffers, what luaL_ makes of them. */
#include <string.h>

#include "random.h"

static void concatenate(lua_State *L) {
  const int count = (int)below(5);
  for (int i = 0; i < count; ++i) {
    if (chance(75)) {
      push_of(L, chance(50) ? LUA_TSTRING : LUA_TNUMBER);
    } else {
      lua_pushvalue(L, any_index(L));
    }
  }
  say("concat %d", count);
  lua_concat(L, count);
}

/* The stack is the buffer's between its calls. */
static void buffer(lua_State *L) {
  luaL_Buffer text_buffer;
  char *room;
  luaL_buffinit(L, &text_buffer);
  for (unsigned i = below(8); i-- > 0;) {
    switch (below(6)) {
      case 0: luaL_addstring(&text_buffer, "some text"); break;
      case 1: luaL_addlstring(&text_buffer, "a\0b", 3); break;
      case 2: push_of(L, chance(50) ? LUA_TSTRING : LUA_TNUMBER), luaL_addvalue(&text_buffer); break;
      case 3: luaL_addchar(&text_buffer, 'c'); break;
      case 4: {
        const size_t size = below(3000);
        room = luaL_prepbuffsize(&text_buffer, size);
        memset(room, 'x', size);
        luaL_addsize(&text_buffer, size);
        break;
      }
      default: luaL_addgsub(&text_buffer, "one two one", "one", "three");
    }
    say("[%d]", (int)luaL_bufflen(&text_buffer));
    if (luaL_bufflen(&text_buffer) > 4 && chance(20)) luaL_buffsub(&text_buffer, 3);
  }
  if (chance(50)) {
    luaL_pushresult(&text_buffer);
  } else {
    room = luaL_prepbuffsize(&text_buffer, 4);
    memcpy(room, "end", 3);
    luaL_pushresultsize(&text_buffer, 3);
  }
  say("buffer of %d", (int)lua_rawlen(L, -1));
}

static void to_string(lua_State *L) {
  size_t size;
  const int index = any_index(L);
  say("to string");
  const char *text = luaL_tolstring(L, index, &size);
  if (strstr(text, ": 0x") == NULL) return;
  lua_pop(L, 1);  /* an address is another one with each library */
  lua_pushstring(L, "an object");
}

static void substitute(lua_State *L) {
  say("gsub");
  luaL_gsub(L, "a.b.c", ".", chance(50) ? "::" : "");
}

static void number_text(lua_State *L) {
  push_string(L);
  lua_pushnumber(L, lua_tonumber(L, -1));
  say("number of text %d", lua_isnumber(L, -2));
}

const Operation text_operations[] = {concatenate, concatenate, buffer, to_string, to_string, substitute, number_text};
const unsigned text_count = sizeof text_operations / sizeof *text_operations;
