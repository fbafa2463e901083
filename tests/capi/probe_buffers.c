/* luaL_Buffer, reading and writing chunks, files, formatted strings. */
#include <errno.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "probe.h"

/* Its string argument, n times, built in one of several ways. */
static int repeat(lua_State *L) {
  size_t length;
  const char *s = luaL_checklstring(L, 1, &length);
  const int n = (int)luaL_checkinteger(L, 2);
  const char *how = luaL_checkstring(L, 3);
  luaL_Buffer b;
  const int top = lua_gettop(L);
  int i;
  if (strcmp(how, "size") == 0) {
    char *room = luaL_buffinitsize(L, &b, length * (size_t)n);
    for (i = 0; i < n; ++i) memcpy(room + length * (size_t)i, s, length);
    luaL_pushresultsize(&b, length * (size_t)n);
  } else {
    luaL_buffinit(L, &b);
    for (i = 0; i < n; ++i) {
      if (strcmp(how, "char") == 0) {
        size_t j;
        for (j = 0; j < length; ++j) luaL_addchar(&b, s[j]);
      } else if (strcmp(how, "value") == 0) {
        lua_pushvalue(L, 1);
        luaL_addvalue(&b);
      } else if (strcmp(how, "prep") == 0) {
        memcpy(luaL_prepbuffer(&b), s, length);
        luaL_addsize(&b, length);
      } else {
        luaL_addlstring(&b, s, length);
      }
    }
    luaL_pushresult(&b);
  }
  lua_pushinteger(L, lua_gettop(L) - top); /* the buffer leaves one value */
  return 2;
}

static int gsub(lua_State *L) {
  luaL_gsub(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2), luaL_checkstring(L, 3));
  return 1;
}

struct Pieces {
  const char *next;
  size_t left, step;
  int fail_at;
};

static const char *read_piece(lua_State *L, void *data, size_t *size) {
  struct Pieces *pieces = (struct Pieces *)data;
  const char *now = pieces->next;
  if (pieces->fail_at > 0 && --pieces->fail_at == 0) luaL_error(L, "reader failed");
  *size = pieces->left < pieces->step ? pieces->left : pieces->step;
  pieces->next += *size;
  pieces->left -= *size;
  return *size > 0 ? now : NULL;
}

/* load(text, step, name, mode, fail_at): status, and the function or message */
static int load_pieces(lua_State *L) {
  struct Pieces pieces;
  pieces.next = luaL_checklstring(L, 1, &pieces.left);
  pieces.step = (size_t)luaL_checkinteger(L, 2);
  pieces.fail_at = (int)luaL_optinteger(L, 5, 0);
  lua_pushinteger(L, lua_load(L, read_piece, &pieces, luaL_optstring(L, 3, NULL), luaL_optstring(L, 4, NULL)));
  lua_insert(L, -2);
  return 2;
}

static int write_piece(lua_State *L, const void *piece, size_t size, void *data) {
  (void)L;
  luaL_addlstring((luaL_Buffer *)data, (const char *)piece, size);
  return 0;
}

static int fail_to_write(lua_State *L, const void *piece, size_t size, void *data) {
  (void)piece, (void)size;
  if (data != NULL) luaL_error(L, "writer failed");
  return 7;
}

static int dump(lua_State *L) {
  luaL_Buffer b;
  int status;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  /* the placeholder of the buffer lies below the function */
  luaL_buffinit(L, &b);
  lua_insert(L, 1);
  status = lua_dump(L, write_piece, &b, 0);
  lua_pop(L, 1);
  if (status != 0) return luaL_error(L, "unable to dump given function");
  luaL_pushresult(&b);
  return 1;
}

static int dump_badly(lua_State *L) {
  const int raise = lua_toboolean(L, 2);
  lua_settop(L, 1);
  lua_pushinteger(L, lua_dump(L, fail_to_write, raise ? L : NULL, 1));
  return 1;
}

static int load_file(lua_State *L) {
  lua_pushinteger(L, luaL_loadfilex(L, luaL_optstring(L, 1, NULL), luaL_optstring(L, 2, NULL)));
  lua_insert(L, -2);
  return 2;
}

static int load_string(lua_State *L) {
  lua_pushinteger(L, luaL_loadstring(L, luaL_checkstring(L, 1)));
  lua_insert(L, -2);
  return 2;
}

static int format(lua_State *L) {
  lua_pushfstring(L, "%s|%d|%I|%f|%c|%%|%U|%s|%p", "text", -5, (LUAI_UACINT)1 << 40, 2.0, 'x', 0x20ACUL, (char *)NULL, (void *)0x10);
  return 1;
}

static int bad_format(lua_State *L) {
  lua_pushfstring(L, "%x", 1);
  return 1;
}

static int close_counted(lua_State *L) {
  luaL_Stream *stream = (luaL_Stream *)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.closed");
  lua_pushinteger(L, lua_tointeger(L, -1) + 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "probe.closed");
  return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* A file of the io library, made here. */
static int open_file(lua_State *L) {
  luaL_Stream *stream = (luaL_Stream *)lua_newuserdatauv(L, sizeof(luaL_Stream), 0);
  stream->closef = NULL;
  luaL_setmetatable(L, LUA_FILEHANDLE);
  stream->f = fopen(luaL_checkstring(L, 1), "r");
  stream->closef = close_counted;
  return stream->f == NULL ? luaL_fileresult(L, 0, lua_tostring(L, 1)) : 1;
}

static int files_closed(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "probe.closed");
  return 1;
}

/* Uses and closes a file that the io library made. */
static int first_byte(lua_State *L) {
  luaL_Stream *stream = (luaL_Stream *)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  lua_CFunction close = stream->closef;
  lua_pushinteger(L, fgetc(stream->f));
  stream->closef = NULL;
  lua_pushcfunction(L, close);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 2;
}

static int fail_as_file(lua_State *L) {
  errno = ENOENT;
  return luaL_fileresult(L, 0, luaL_optstring(L, 1, NULL));
}

static int exec_result(lua_State *L) {
  errno = 0;
  return luaL_execresult(L, (int)luaL_checkinteger(L, 1));
}

void add_buffer_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"rep", repeat},           {"gsub", gsub},           {"load", load_pieces},     {"dump", dump},
      {"dump_badly", dump_badly}, {"loadfile", load_file}, {"loadstring", load_string}, {"format", format},
      {"bad_format", bad_format}, {"open", open_file},     {"files_closed", files_closed}, {"first_byte", first_byte},
      {"fileresult", fail_as_file}, {"execresult", exec_result}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
