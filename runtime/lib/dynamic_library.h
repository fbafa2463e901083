// Libraries written in C (Lua 5.4 manual §6.3): found in shared objects, called through the C API.
#pragma once

#include <string>

#include "vm/vm.h"

namespace mangata {

struct DynamicFunction {
  enum class Problem : unsigned char {
    None,
    CannotOpen,
    NoFunction
  };
  Problem problem = Problem::None;
  std::string message;            ///< the system's, when there is a problem
  Value function = Value::nil();  ///< true for the name "*", which makes the symbols of the library known to all
};

/// The function `name` of the shared object `path`.
DynamicFunction find_dynamic_function(Vm& vm, const std::string& path, const std::string& name);

/// The function that opens `module`, for searchers: luaopen_a_b for a.b, also for v-a.b.
DynamicFunction find_open_function(Vm& vm, const std::string& path, std::string module);

}  // namespace mangata
