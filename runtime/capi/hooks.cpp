// lua_sethook and its like (Lua 5.4 manual §4.7).
#include "runtime/c_boundary/hooks.h"

#include "runtime/c_boundary/machine_data.h"
#include "runtime/lib/debug_library.h"

namespace mangata::capi {
namespace {

/// What lua_gethook gives for a hook that the debug library set; lua_sethook knows it again.
void hook_of_debug_library(lua_State*, lua_Debug*) {}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

void lua_sethook(lua_State* L, lua_Hook func, int mask, int count) {
  Thread& thread = thread_of(L);
  if (func == nullptr || mask == 0) {
    func = nullptr;
    mask = 0;
  }
  if (func == nullptr) {
    thread.hook_function = Value::nil();
  } else if (func == hook_of_debug_library) {
    thread.hook_function = hook_set_by_script(*thread.vm, thread);
  } else {
    thread.c_hook = reinterpret_cast<void (*)(void*, void*)>(func);
    thread.hook_function = Value::function(machine_data(*thread.vm).hook_function);
  }
  thread.vm->heap.write_barrier(&thread, thread.hook_function);
  thread.hook_mask = static_cast<uint8_t>(mask & kHookMasks) | (thread.hook_mask & ~kHookMasks);
  thread.hook_count = thread.hook_count_left = count;
  // A signal handler may have interrupted machine code, which looks at hooks when it is asked to.
  if (mask != 0) thread.vm->request_interrupt();
}

lua_Hook lua_gethook(lua_State* L) {
  const Thread& thread = thread_of(L);
  if (thread.hook_function.is_nil()) return nullptr;
  return is_c_hook(thread) ? reinterpret_cast<lua_Hook>(thread.c_hook) : hook_of_debug_library;
}

int lua_gethookmask(lua_State* L) { return thread_of(L).hook_mask & kHookMasks; }
int lua_gethookcount(lua_State* L) { return thread_of(L).hook_count; }
