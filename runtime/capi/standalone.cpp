// Machines that belong to a host of the C API: luaL_newstate, lua_newstate, lua_close (Lua 5.4 manual §4.6, §5).
//
// Such a machine has everything that the executable has: an Engine, with the policy and the limits that its options default
// to. Only the libraries are the host's choice.
#include <cstdio>

#include "runtime/c_boundary/exceptions.h"
#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "runtime/engine.h"
#include "runtime/options/options.h"

namespace mangata::capi {

struct Standalone {
  Options options;
  std::unique_ptr<Engine> engine;
};

namespace {

int report_panic(lua_State* state) {
  const char* message = lua_tostring(state, -1);
  std::fprintf(stderr, "PANIC: unprotected error in call to Lua API (%s)\n",
               message == nullptr ? "error object is not a string" : message);
  std::fflush(stderr);
  return 0;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

namespace {

lua_State* open_standalone(lua_Alloc f, void* ud) {
  prepare_for_exceptions();
  auto standalone = std::make_unique<Standalone>();
  char name[] = "lua";
  char* arguments[] = {name, nullptr};
  OptionError problem;
  if (!parse_options({1, arguments}, &standalone->options, &problem)) return nullptr;
  standalone->options.opens_libraries = false;
  standalone->engine = std::make_unique<Engine>(standalone->options);
  Vm& vm = standalone->engine->vm();
  vm.heap.set_generational(false);
  if (!use_allocator(vm, f, ud, /*is_new=*/true)) return nullptr;
  machine_data(vm).owner = standalone.release();
  return state_of(*vm.main_thread);
}

}  // namespace

lua_State* lua_newstate(lua_Alloc f, void* ud) {
  try {
    return open_standalone(f, ud);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

lua_State* luaL_newstate(void) {
  lua_State* state = lua_newstate(allocate_by_default, nullptr);
  if (state != nullptr) lua_atpanic(state, report_panic);
  return state;
}

void lua_close(lua_State* L) {
  Vm& vm = vm_of(L);
  arrive(vm);
  if (vm.current == machine_data(vm).stand_in) (void)lua_closethread(state_of(*vm.main_thread), nullptr);  // suspended by a host that resumed it
  delete machine_data(vm).owner;
}
