// What the C API keeps per machine.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "runtime/c_boundary/state.h"

namespace mangata {

namespace capi {

struct Standalone;  // standalone.cpp
class HostMemory;    // host_memory.h

struct MachineData : HostData {
  MachineData();
  ~MachineData() override;

  Standalone* owner = nullptr;  ///< what lua_close destroys, the machine with it; null: it is not the host's
  lua_CFunction panic = nullptr;  ///< lua_atpanic
  lua_Alloc allocate;  ///< lua_newstate: the host's
  void* allocate_data = nullptr;  ///< its first argument
  lua_WarnFunction warn_function = nullptr;
  void* warn_data = nullptr;  ///< the first argument of warn_function
  std::unique_ptr<HostMemory> memory;       ///< null: the default allocator
  NativeFunction* hook_function = nullptr;  ///< calls Thread's lua_Hook; kept alive by Vm::host_objects
  Thread* stand_in = nullptr;               ///< for the main thread while it is a coroutine (resumed_main.h); kept alive as well
  std::exception_ptr exception;             ///< on its way (exceptions.h)
  std::unordered_set<std::string> names;    ///< texts that lua_Debug points at
  struct CachedFunction {
    lua_CFunction code;  ///< the key
    NativeFunction* function;
  };
  /// Of name_string(): strings by the address of the C string that they were made from, all since the same collection.
  struct CachedName {
    const char* address;  ///< the key
    String* string;
  };
  static constexpr size_t kCachedNames = 64;  ///< a power of two
  CachedName name_cache[kCachedNames] = {};  ///< by address
  uint32_t name_cache_cycle = 0;  ///< Heap cycle that name_cache is of
  static constexpr size_t kCachedFunctions = 64;  ///< a power of two
  CachedFunction cache[kCachedFunctions] = {};  ///< of light_function()
};

/// Made at the first use.
MachineData& machine_data(Vm& vm);

/// What lua_getallocf gives until lua_setallocf or lua_newstate say otherwise: malloc.
void* allocate_by_default(void* data, void* block, size_t old_bytes, size_t new_bytes);
/// From now on the heap asks `allocate` for what it uses. False: it refuses even what is in use; `is_new`, else that is free.
bool use_allocator(Vm& vm, lua_Alloc allocate, void* allocate_data, bool is_new);

/// The string `text`; what hosts pass is mostly the same literal again. Raises only for long ones.
Result<String*> name_string(Vm& vm, const char* text);

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
