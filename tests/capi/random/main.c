/* random_calls FIRST COUNT: the traces of so many seeds. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { kBodies = 8, kSteps = 30, kMostSlots = 60 };

static uint64_t random_state;
static int steps_left;
int depth;

unsigned below(unsigned bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)((random_state >> 20) % bound);
}

int chance(unsigned percent) { return below(100) < percent; }

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

static void say_string(const char *text, size_t length) {
  putchar('"');
  for (size_t i = 0; i < length && i < 70; ++i) {
    /* What tostring() makes of objects has their address. */
    if (length - i > 4 && text[i] == ':' && text[i + 1] == ' ' && text[i + 2] == '0' && text[i + 3] == 'x') {
      printf(": ADDRESS");
      for (i += 3; i + 1 < length && strchr("0123456789abcdef", text[i + 1]) != NULL;) ++i;
    } else if (text[i] >= ' ' && text[i] < 127) {
      putchar(text[i]);
    } else {
      printf("\\%d", (unsigned char)text[i]);
    }
  }
  putchar('"');
}

static void say_table(lua_State *L, int index) {
  int entries = 0, of_type[LUA_NUMTYPES] = {0};
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) ++entries, ++of_type[lua_type(L, -1)];
  printf("{%d", entries);
  for (int type = 0; type < LUA_NUMTYPES; ++type) {
    if (of_type[type] != 0) printf(" %d:%d", type, of_type[type]);
  }
  if (has_one_border(L, index)) printf(" #%d", (int)lua_rawlen(L, index));
  putchar('}');
}

void say_value(lua_State *L, int index) {
  size_t length;
  const char *text;
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: printf(lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        printf("%lld", (long long)lua_tointeger(L, index));
      } else if (lua_tonumber(L, index) != lua_tonumber(L, index)) {
        printf("nan");
      } else {
        printf("%.17gf", lua_tonumber(L, index));
      }
      break;
    case LUA_TSTRING:
      text = lua_tolstring(L, index, &length);
      say_string(text, length);
      break;
    case LUA_TTABLE:
      say_table(L, index);
      break;
    case LUA_TUSERDATA: printf("userdata[%d]", (int)lua_rawlen(L, index)); break;
    case LUA_TFUNCTION: printf(lua_iscfunction(L, index) ? "C function" : "function"); break;
    default: printf("%s", lua_typename(L, lua_type(L, index)));
  }
}

/* The top of the frame. */
void end_line(lua_State *L) {
  const int top = lua_gettop(L);
  lua_checkstack(L, 10);
  printf(" | %d:", top);
  for (int i = top > 3 ? top - 2 : 1; i <= top; ++i) putchar(' '), say_value(L, i);
  putchar('\n');
}

void run_operations(lua_State *L, int steps) {
  static const struct {
    const Operation *operations;
    const unsigned *count;
  } families[] = {{value_operations, &value_count},
                  {value_operations, &value_count},
                  {table_operations, &table_count},
                  {table_operations, &table_count},
                  {function_operations, &function_count},
                  {function_operations, &function_count},
                  {thread_operations, &thread_count},
                  {text_operations, &text_count}};
  while (steps-- > 0 && steps_left-- > 0) {
    if (lua_gettop(L) > kMostSlots) lua_settop(L, kMostSlots / 2);
    luaL_checkstack(L, 40, "random calls");
    const unsigned family = below(sizeof families / sizeof *families);
    families[family].operations[below(*families[family].count)](L);
    end_line(L);
  }
}

int body(lua_State *L) {
  if (depth > 4) return luaL_error(L, "deep enough");
  ++depth;
  run_operations(L, 1 + (int)below(kSteps));
  --depth;
  const int results = (int)below(4);
  return results < lua_gettop(L) ? results : lua_gettop(L);
}

static void run(unsigned seed) {
  random_state = (uint64_t)(seed + 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 8; ++i) below(2);
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  printf("seed %u\n", seed);
  for (int i = 0; i < kBodies; ++i) {
    depth = 0;
    steps_left = 2 * kSteps;
    luaL_checkstack(L, 20, "a call");
    lua_pushcfunction(L, body);
    const int count = (int)below(4);
    for (int k = 0; k < count; ++k) push_any(L);
    const int status = lua_pcall(L, count, LUA_MULTRET, 0);
    printf("body %d ends with %d", i, status);
    end_line(L);
    if (chance(30)) lua_settop(L, 0);
  }
  lua_settop(L, 0);
  lua_close(L);
  printf("closed\n");
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: random_calls FIRST COUNT\n"), 2;
  const unsigned first = (unsigned)strtoul(argv[1], NULL, 10), count = (unsigned)strtoul(argv[2], NULL, 10);
  for (unsigned seed = first; seed < first + count; ++seed) run(seed);
  return 0;
}
