/* The parts of the module `probe`; each adds functions to the table at the top. */
#ifndef probe_h
#define probe_h

#include "lua.h"

void add_buffer_functions(lua_State* L); /* luaL_Buffer, chunks, files, strings */
void add_thread_functions(lua_State* L); /* lua_newthread, lua_resume, other machines */
void add_debug_functions(lua_State* L);  /* lua_getinfo, hooks, tracebacks */

#endif
