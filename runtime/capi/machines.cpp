// Machines: making and closing them, their allocator, panic function, warnings and collector (Lua 5.4 manual §4.6).
#include <cstdarg>
#include <cstdlib>

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "vm/operations/warning.h"

const char lua_ident[] = "$LuaVersion: " LUA_COPYRIGHT " $$LuaAuthors: " LUA_AUTHORS " $";

namespace mangata::capi {
namespace {

void pass_on_warning(void* data, const char* message, int continues) {
  const auto& machine = *static_cast<MachineData*>(data);
  if (machine.warn_function != nullptr) machine.warn_function(machine.warn_data, message, continues);
}

int collect_step(Thread& thread, int kilobytes) {
  Heap& heap = thread.vm->heap;
  return protect(thread, [&] { return heap.step_kilobytes(kilobytes); });
}

int set_generational(Heap& heap, bool on) { return heap.set_generational(on) ? LUA_GCGEN : LUA_GCINC; }

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

lua_Number lua_version(lua_State*) { return LUA_VERSION_NUM; }

lua_CFunction lua_atpanic(lua_State* L, lua_CFunction panicf) {
  MachineData& data = machine_data(vm_of(L));
  const lua_CFunction previous = data.panic;
  data.panic = panicf;
  return previous;
}

lua_Alloc lua_getallocf(lua_State* L, void** ud) {
  const MachineData& data = machine_data(vm_of(L));
  if (ud != nullptr) *ud = data.allocate_data;
  return data.allocate;
}

void lua_setallocf(lua_State* L, lua_Alloc f, void* ud) {
  (void)use_allocator(vm_of(L), f, ud, /*is_new=*/false);
}

void lua_setwarnf(lua_State* L, lua_WarnFunction f, void* ud) {
  Vm& vm = vm_of(L);
  MachineData& data = machine_data(vm);
  data.warn_function = f;
  data.warn_data = ud;
  vm.warn_function = pass_on_warning;
  vm.warn_data = &data;
}

void lua_warning(lua_State* L, const char* msg, int tocont) { warn(vm_of(L), msg, tocont != 0); }

int lua_gc(lua_State* L, int what, ...) {
  Thread& thread = thread_of(L);
  Heap& heap = thread.vm->heap;
  if (heap.in_finalizer()) return -1;
  va_list arguments;
  va_start(arguments, what);
  int numbers[3] = {0, 0, 0};
  const int count = what == LUA_GCINC ? 3 : what == LUA_GCGEN                            ? 2
                                        : what >= LUA_GCSTEP && what <= LUA_GCSETSTEPMUL ? 1
                                                                                         : 0;
  for (int i = 0; i < count; ++i) numbers[i] = va_arg(arguments, int);
  va_end(arguments);
  switch (what) {
    case LUA_GCSTOP:
      heap.stop();
      return 0;
    case LUA_GCRESTART:
      heap.restart();
      return 0;
    case LUA_GCCOLLECT:
      protect(thread, [&] { return heap.collect_full(); });
      return 0;
    case LUA_GCCOUNT:
      return static_cast<int>(heap.total_bytes() / 1024);
    case LUA_GCCOUNTB:
      return static_cast<int>(heap.total_bytes() % 1024);
    case LUA_GCSTEP:
      return collect_step(thread, numbers[0]);
    case LUA_GCSETPAUSE:
      return heap.set_pause(numbers[0]);
    case LUA_GCSETSTEPMUL:
      return heap.set_step_multiplier(numbers[0]);
    case LUA_GCISRUNNING:
      return heap.is_running();
    case LUA_GCGEN:
      return set_generational(heap, true);
    case LUA_GCINC:
      if (numbers[0] != 0) heap.set_pause(numbers[0]);
      if (numbers[1] != 0) heap.set_step_multiplier(numbers[1]);
      return set_generational(heap, false);
    default:
      return -1;
  }
}
