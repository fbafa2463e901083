// See machine_data.h.
#include "runtime/capi/machine_data.h"

#include <cstdlib>

#include "runtime/capi/boundary.h"
#include "runtime/capi/hooks.h"

namespace mangata::capi {
namespace {

/// What lua_getallocf gives until lua_setallocf or lua_newstate say otherwise.
void* allocate_with_malloc(void*, void* block, size_t, size_t new_size) {
  if (new_size != 0) return std::realloc(block, new_size);
  std::free(block);
  return nullptr;
}

}  // namespace

MachineData::MachineData() : allocate(allocate_with_malloc) {}
MachineData::~MachineData() = default;

MachineData& machine_data(Vm& vm) {
  if (vm.host_data == nullptr) [[unlikely]] {
    vm.host_data = std::make_unique<MachineData>();
    make_hook_function(vm);
  }
  return static_cast<MachineData&>(*vm.host_data);
}

NativeFunction* new_c_function(Vm& vm, lua_CFunction code, uint32_t upvalue_count) {
  NativeFunction* function = vm.new_native(run_c_function, nullptr, upvalue_count);
  function->c_code = reinterpret_cast<int (*)(void*)>(code);
  return function;
}

void keep_object(Vm& vm, Value key, Value value) {
  if (vm.host_objects == nullptr) vm.host_objects = table_new(vm);
  // Growth by one entry cannot pass the memory limit.
  (void)table_set(vm, vm.host_objects, key, value);
}

Value kept_object(Vm& vm, Value key) {
  return vm.host_objects == nullptr ? Value::nil() : table_get(vm.host_objects, key);
}

NativeFunction* light_function(Vm& vm, lua_CFunction code) {
  const auto address = reinterpret_cast<uintptr_t>(code);
  MachineData::CachedFunction& cached = machine_data(vm).cache[address / 16 % MachineData::kCachedFunctions];
  if (cached.code == code && code != nullptr) [[likely]] return cached.function;
  const Value key = Value::light_userdata(reinterpret_cast<void*>(code));
  Value function = kept_object(vm, key);
  if (!function.is_native_function()) {
    function = Value::function(new_c_function(vm, code, 0));
    keep_object(vm, key, function);
  }
  cached = {code, function.as_native_function()};
  return cached.function;
}

const char* keep_name(Vm& vm, std::string_view text) {
  return machine_data(vm).names.emplace(text).first->c_str();
}

}  // namespace mangata::capi
