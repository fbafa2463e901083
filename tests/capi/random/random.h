/* Random sequences of calls of the C API, with a trace of what they give: the same seeds have to print the same with every library.

   What is called depends on the seed and on what the calls before have given, so traces part at the first difference. Nothing is printed
   that the manual leaves open: addresses, the order of lua_next, borders of tables with holes, sizes of memory. Indices and counts are
   valid always; operands are of all types, so that many calls raise errors. */
#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include <stddef.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

typedef void (*Operation)(lua_State* L);

/* A number below `bound`. */
unsigned below(unsigned bound);
int chance(unsigned percent);
/* A line of the trace is what has been said since the last one ended. */
void say(const char* format, ...);
void say_value(lua_State* L, int index);
void end_line(lua_State* L);

/* Index of a value in the frame, counted from either end; pushes one if there is none. */
int any_index(lua_State* L);
/* The same, of the type if there is such a value at all; otherwise, unless chance has it, one is made. */
int index_of(lua_State* L, int type);
void push_any(lua_State* L);
void push_of(lua_State* L, int type);
void push_string(lua_State* L);
void push_function(lua_State* L);
void push_metatable(lua_State* L);
/* 0: it has holes, and what its length is is open. */
int has_one_border(lua_State* L, int index);

/* Runs `steps` operations in the running frame. */
void run_operations(lua_State* L, int steps);
/* A C function that does so, and returns some values. */
int body(lua_State* L);
/* How deep bodies are within each other. */
extern int depth;

extern const Operation value_operations[], table_operations[], function_operations[], thread_operations[], text_operations[];
extern const unsigned value_count, table_count, function_count, thread_count, text_count;

#endif
