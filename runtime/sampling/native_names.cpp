#include "runtime/sampling/native_names.h"

#include <dlfcn.h>

#include "runtime/c_boundary/boundary.h"
#include "vm/object/function.h"
#include "vm/object/table.h"

namespace mangata {
namespace {

const void* c_code_of(const NativeFunction& function) { return reinterpret_cast<const void*>(function.c_code); }

bool is_c_function(const void* code) { return code == reinterpret_cast<const void*>(&capi::run_c_function); }

/// The name of a C function, by the symbols of its module.
std::string symbol_at(const void* code) {
  Dl_info info = {};
  if (dladdr(code, &info) != 0 && info.dli_sname != nullptr && info.dli_saddr == code) return info.dli_sname;
  return "C function";
}

}  // namespace

void NativeNames::add(Table* library, const std::string& prefix) {
  uint32_t cursor = 0;
  Value key, value;
  while (table_iterate(library, &cursor, &key, &value)) {
    if (!key.is_string() || !value.is_native_function()) continue;
    const NativeFunction& function = *value.as_native_function();
    const std::string name = prefix + std::string(key.as_string()->view());
    if (is_c_function(reinterpret_cast<const void*>(function.code))) {
      names_.try_emplace(c_code_of(function), name);
      continue;
    }
    names_.try_emplace(reinterpret_cast<const void*>(function.code), name);
    if (function.direct != nullptr) names_.try_emplace(reinterpret_cast<const void*>(function.direct), name);
  }
}

void NativeNames::read_libraries(Vm& vm) {
  const Value loaded = table_get_string(vm.registry, vm.intern("_LOADED"));
  if (!loaded.is_table()) return;
  uint32_t cursor = 0;
  Value key, value;
  while (table_iterate(loaded.as_table(), &cursor, &key, &value)) {
    if (!key.is_string() || !value.is_table() || value.as_table() == vm.globals) continue;
    add(value.as_table(), std::string(key.as_string()->view()) + ".");
  }
  add(vm.globals, "");
}

std::string NativeNames::of_frame(const void* code, const void* name) const {
  const bool is_c = is_c_function(code);
  if (const auto found = names_.find(is_c ? name : code); found != names_.end()) return found->second;
  if (is_c) return symbol_at(name);
  return name == nullptr ? "C function" : static_cast<const char*>(name);
}

const std::string* NativeNames::of_direct(const void* code) const {
  const auto found = names_.find(code);
  return found == names_.end() ? nullptr : &found->second;
}

}  // namespace mangata
