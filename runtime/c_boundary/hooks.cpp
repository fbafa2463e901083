// See hooks.h. A C hook is called by a native function that stands in Thread::hook_function; its frame is hidden, so that inside the hook level 0
// is the function that is being hooked, as in Lua 5.4.
#include "runtime/c_boundary/hooks.h"

#include "runtime/c_boundary/boundary.h"
#include "runtime/c_boundary/machine_data.h"
#include "vm/native.h"

namespace mangata::capi {
namespace {

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

}  // namespace

bool is_c_hook(const Thread& thread) {
  return thread.hook_function.is_identical(Value::function(machine_data(*thread.vm).hook_function));
}

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
