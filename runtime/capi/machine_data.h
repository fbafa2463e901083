// What the C API keeps per machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "runtime/capi/state.h"

namespace mangata {

namespace capi {

struct Standalone;  // standalone.cpp

struct MachineData : HostData {
  MachineData();
  ~MachineData() override;

  Standalone* owner = nullptr;  ///< what lua_close destroys, the machine with it; null: it is not the host's
  lua_CFunction panic = nullptr;
  lua_Alloc allocate;
  void* allocate_data = nullptr;
  lua_WarnFunction warn_function = nullptr;
  void* warn_data = nullptr;
  NativeFunction* hook_function = nullptr;  ///< calls Thread's lua_Hook; kept alive by Vm::host_objects
  std::unordered_set<std::string> names;    ///< texts that lua_Debug points at
  struct CachedFunction {
    lua_CFunction code;
    NativeFunction* function;
  };
  static constexpr size_t kCachedFunctions = 64;
  CachedFunction cache[kCachedFunctions] = {};  ///< of light_function()
};

/// Made at the first use.
MachineData& machine_data(Vm& vm);

/// The function value of `code` without upvalues: the same one each time, as two such values are equal in Lua 5.4.
NativeFunction* light_function(Vm& vm, lua_CFunction code);
/// A function with upvalues, which are nil.
NativeFunction* new_c_function(Vm& vm, lua_CFunction code, uint32_t upvalue_count);

/// The C string `text` for the lifetime of the machine.
const char* keep_name(Vm& vm, std::string_view text);

/// Keeps `value` alive as long as the machine, under `key`.
void keep_object(Vm& vm, Value key, Value value);
/// What is kept under `key`, or nil.
Value kept_object(Vm& vm, Value key);

}  // namespace capi
}  // namespace mangata
