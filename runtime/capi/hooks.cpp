// See hooks.h. A C hook is called by a native function that stands in Thread::hook_function; its frame is hidden, so that inside the hook level 0
// is the function that is being hooked, as in Lua 5.4.
#include "runtime/capi/hooks.h"

#include "runtime/capi/boundary.h"
#include "runtime/capi/machine_data.h"
#include "runtime/lib/debug_library.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"

namespace mangata::capi {
namespace {

constexpr uint8_t kHookMasks = kHookCall | kHookReturn | kHookLine | kHookCount;

int event_code(std::string_view name) {
  if (name == "call") return LUA_HOOKCALL;
  if (name == "return") return LUA_HOOKRET;
  if (name == "line") return LUA_HOOKLINE;
  return name == "count" ? LUA_HOOKCOUNT : LUA_HOOKTAILCALL;
}

Result<int> call_c_hook(Call& call) {
  Thread& thread = call.thread();
  lua_Debug event{};
  event.event = event_code(call[0].as_string()->view());
  event.currentline = call[1].is_integer() ? static_cast<int>(call[1].as_integer()) : -1;
  event.i_ci = reinterpret_cast<CallInfo*>(caller_base(thread.base));
  thread.frame()->flags |= FrameHeader::kHidden;
  call.set_count(0);
  TRY(run_hook(thread, reinterpret_cast<lua_Hook>(thread.c_hook), &event));
  return 0;
}

/// What lua_gethook gives for a hook that the debug library set; lua_sethook knows it again.
void hook_of_debug_library(lua_State*, lua_Debug*) {}

bool is_c_hook(const Thread& thread) {
  return thread.hook_function.is_identical(Value::function(machine_data(*thread.vm).hook_function));
}

}  // namespace

void inherit_hook(Thread& created, const Thread& creator) {
  if ((creator.hook_mask & kHookMasks) == 0 || creator.vm->host_data == nullptr || !is_c_hook(creator)) return;
  created.hook_function = creator.hook_function;
  created.vm->heap.write_barrier(&created, created.hook_function);
  created.hook_mask = creator.hook_mask & kHookMasks;
  created.hook_count = created.hook_count_left = creator.hook_count;
  created.c_hook = creator.c_hook;
}

void make_hook_function(Vm& vm) {
  NativeFunction* function = vm.new_native(call_c_hook, "hook");
  static_cast<MachineData&>(*vm.host_data).hook_function = function;
  keep_object(vm, Value::boolean(true), Value::function(function));
}

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
