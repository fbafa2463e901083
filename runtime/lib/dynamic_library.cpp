// See dynamic_library.h.
//
// Shared objects stay loaded until the process ends: finalizers, other machines and threads that they have started may
// still need their code when a machine is closed.
#include "runtime/lib/dynamic_library.h"

#include <dlfcn.h>

#include <algorithm>

#include "runtime/c_boundary/machine_data.h"

namespace mangata {
namespace {

std::string last_problem() {
  const char* message = dlerror();
  return message == nullptr ? "" : message;
}

constexpr char kIgnoreMark = '-';

}  // namespace

DynamicFunction find_dynamic_function(Vm& vm, const std::string& path, const std::string& name) {
  using Problem = DynamicFunction::Problem;
  const bool is_global = name.starts_with('*');
  void* library = dlopen(path.c_str(), RTLD_NOW | (is_global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (library == nullptr) return {Problem::CannotOpen, last_problem()};
  if (is_global) return {Problem::None, {}, Value::boolean(true)};
  void* symbol = dlsym(library, name.c_str());
  if (symbol == nullptr) return {Problem::NoFunction, last_problem()};
  return {Problem::None, {}, Value::function(capi::light_function(vm, reinterpret_cast<lua_CFunction>(symbol)))};
}

DynamicFunction find_open_function(Vm& vm, const std::string& path, std::string module) {
  std::replace(module.begin(), module.end(), '.', '_');
  if (const size_t mark = module.find(kIgnoreMark); mark != std::string::npos) {
    DynamicFunction found = find_dynamic_function(vm, path, "luaopen_" + module.substr(0, mark));
    if (found.problem != DynamicFunction::Problem::NoFunction) return found;
    module.erase(0, mark + 1);
  }
  return find_dynamic_function(vm, path, "luaopen_" + module);
}

}  // namespace mangata
