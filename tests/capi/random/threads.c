/* Coroutines, collections, hooks. */
#include "random.h"

/* What a coroutine that has failed leaves on its stack below the error is open. */
static void say_status(lua_State *co) {
  say(" status %d, %d values", lua_status(co), lua_status(co) > LUA_YIELD ? 1 : lua_gettop(co));
}

static void make(lua_State *L) {
  say("thread");
  lua_State *co = lua_newthread(L);
  if (chance(70) && lua_checkstack(co, 20)) push_function(co);
  say_status(co);
}

/* Resumes one that can be, with arguments from this stack. */
static void resume(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TTHREAD));
  lua_State *co = lua_tothread(L, index);
  say("resume");
  if (co == L || lua_status(co) > LUA_YIELD || (lua_status(co) == LUA_OK && lua_gettop(co) > 0 && lua_type(co, 1) != LUA_TFUNCTION))
    return say_status(co);
  lua_Debug level;
  if ((lua_status(co) == LUA_OK && lua_getstack(co, 0, &level)) || !lua_checkstack(co, 20)) return say(" is running");
  int arguments = 0;
  if (lua_status(co) == LUA_OK) {
    lua_settop(co, 0);
    push_function(co);
  }
  for (int i = (int)below(3); i-- > 0; ++arguments) push_any(L);
  if (!lua_checkstack(co, arguments + 10)) return;
  lua_xmove(L, co, arguments);
  int results = 0;
  say(" with %d\n", arguments);
  const int status = lua_resume(co, L, arguments, &results);
  say("resumed: %d, %d results", status, status <= LUA_YIELD ? results : 1);
  if (status <= LUA_YIELD && results <= 20 && lua_checkstack(L, results + 10)) {
    lua_xmove(co, L, results);
  } else if (status > LUA_YIELD && lua_checkstack(co, 5)) {
    lua_pushvalue(co, -1);
    lua_xmove(co, L, 1);
    say(" %d", lua_status(co));
  }
}

static void reset(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TTHREAD));
  lua_State *co = lua_tothread(L, index);
  lua_Debug level;
  if (co == L || (lua_status(co) == LUA_OK && lua_getstack(co, 0, &level))) return say("cannot be reset");
  say("reset: ");
  say("%d", lua_resetthread(co));
  say_status(co);
}

static void exchange(lua_State *L) {
  const int index = lua_absindex(L, index_of(L, LUA_TTHREAD));
  lua_State *co = lua_tothread(L, index);
  lua_Debug level;
  if (co == L || lua_status(co) != LUA_OK || lua_getstack(co, 0, &level) || !lua_checkstack(co, 10)) return;
  push_any(L);
  push_any(L);
  lua_xmove(L, co, 2);
  say("moved");
  say_status(co);
  lua_xmove(co, L, 1);
}

static void status(lua_State *L) { say("main %d, yieldable %d", lua_pushthread(L), lua_isyieldable(L)); }

static void collect(lua_State *L) {
  switch (below(7)) {
    case 0: say("collect %d", lua_gc(L, LUA_GCCOLLECT)); break;
    case 1: lua_gc(L, LUA_GCSTEP, 1), say("step"); break;
    case 2: say("mode %d", lua_gc(L, LUA_GCGEN, 0, 0)); break;
    case 3: say("mode %d", lua_gc(L, LUA_GCINC, 0, 0, 0)); break;
    case 4: lua_gc(L, LUA_GCSTOP), say("running %d", lua_gc(L, LUA_GCISRUNNING)), lua_gc(L, LUA_GCRESTART); break;
    case 5: say("running %d", lua_gc(L, LUA_GCISRUNNING)); break;
    default: say("used %d", lua_gc(L, LUA_GCCOUNT) > 0);
  }
}

static void hook(lua_State *L, lua_Debug *event) {
  lua_getinfo(L, "Sl", event);
  if (*event->what == 'C') return;  /* libraries may call functions of their own */
  say("[%d %d]", event->event, event->currentline);
  if (chance(2)) luaL_error(L, "in the hook");
}

static void set_hook(lua_State *L) {
  static const int kMasks[] = {LUA_MASKCALL, LUA_MASKRET, LUA_MASKCALL | LUA_MASKRET, LUA_MASKLINE};
  if (chance(70)) return say("no hook"), lua_sethook(L, NULL, 0, 0);
  say("hook");
  lua_sethook(L, hook, kMasks[below(4)], 0);
}

const Operation thread_operations[] = {make, resume, resume, resume, resume, reset, exchange, status, collect, set_hook};
const unsigned thread_count = sizeof thread_operations / sizeof *thread_operations;
