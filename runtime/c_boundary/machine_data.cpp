// See machine_data.h.
#include "runtime/c_boundary/machine_data.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "runtime/c_boundary/boundary.h"
#include "runtime/c_boundary/hooks.h"
#include "runtime/c_boundary/host_memory.h"
#include "vm/heap/collector.h"

namespace mangata::capi {

void* allocate_by_default(void*, void* block, size_t, size_t new_bytes) {
  if (new_bytes != 0) return std::realloc(block, new_bytes);
  std::free(block);
  return nullptr;
}

bool use_allocator(Vm& vm, lua_Alloc allocate, void* allocate_data, bool is_new) {
  MachineData& data = machine_data(vm);
  data.allocate = allocate;
  data.allocate_data = allocate_data;
  if (data.memory != nullptr || allocate == allocate_by_default) return true;  // blocks that it got go back to the new one
  data.memory = std::make_unique<HostMemory>(data, is_new ? 0 : vm.heap.total_bytes());
  return vm.heap.set_grant(data.memory.get());
}

MachineData::MachineData() : allocate(allocate_by_default) {}
MachineData::~MachineData() = default;

MachineData& machine_data(Vm& vm) {
  if (vm.host_data == nullptr) [[unlikely]] {
    vm.host_data = std::make_unique<MachineData>();
    make_hook_function(vm);
  }
  return static_cast<MachineData&>(*vm.host_data);
}

Result<String*> name_string(Vm& vm, const char* text) {
  MachineData& data = machine_data(vm);
  const uint32_t cycle = vm.heap.collector().cycles_ended;
  if (data.name_cache_cycle != cycle) [[unlikely]] {
    std::fill(std::begin(data.name_cache), std::end(data.name_cache), MachineData::CachedName{});
    data.name_cache_cycle = cycle;
  }
  const auto address = reinterpret_cast<uintptr_t>(text);
  MachineData::CachedName& cached = data.name_cache[(address ^ address >> 6) % MachineData::kCachedNames];
  // What lies at the address may be another text by now.
  if (cached.address == text && std::strcmp(cached.string->data, text) == 0) [[likely]]
    return cached.string;
  String* string = TRY(vm.new_string(text));
  if (string->length <= String::kMaxShortLength) cached = {text, string};
  return string;
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
  if (cached.code == code && code != nullptr) [[likely]]
    return cached.function;
  const Value key = Value::light_userdata(reinterpret_cast<void*>(code));
  Value function = kept_object(vm, key);
  if (!function.is_native_function()) {
    function = Value::function(new_c_function(vm, code, 0));
    function.as_native_function()->type_flags = NativeFunction::kKnownByCode;
    keep_object(vm, key, function);
  }
  cached = {code, function.as_native_function()};
  return cached.function;
}

const char* keep_name(Vm& vm, std::string_view text) {
  return machine_data(vm).names.emplace(text).first->c_str();
}

}  // namespace mangata::capi
