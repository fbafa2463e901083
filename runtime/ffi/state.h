// What the library keeps per machine.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/ffi/call_plan.h"
#include "runtime/ffi/callback.h"
#include "runtime/ffi/closure_pages.h"
#include "runtime/ffi/ctype.h"
#include "runtime/ffi/names.h"
#include "vm/native.h"

namespace mangata::ffi {

struct State : ForeignData {
  explicit State(Vm& machine) : vm(machine), names(types) {}
  Value number_in(const Value& userdata) override;  // ffi_library.cpp
  ForeignRead read(const Value& object, const Value& key, Value* out) override;  // access.cpp

  Vm& vm;
  Types types;
  Names names;
  // Kept alive by the registry.
  Table* metatable = nullptr;   ///< of all cdata
  Table* anchors = nullptr;     ///< values that live as long as the machine: metatables by ffi.metatype,
                                ///< functions of callbacks
  Table* finalizers = nullptr;  ///< by ffi.gc: cdata -> finalizer; weak keys
  std::unordered_map<uint32_t, Table*> metatables;  ///< of complex numbers and vectors, by TypeId; those of records: Record
  StringMap<TypeId> parsed;     ///< types by their text
  std::vector<std::unique_ptr<CallPlan>> plans;
  std::vector<std::unique_ptr<Callback>> callbacks;  ///< by number; a free one has no code
  ClosurePages closures;                             ///< by the same numbers
  std::vector<uint32_t> free_callbacks;
  uint32_t callbacks_in_use = 0;
  struct CachedField {
    const String* name;  ///< in `anchors`
    const Record* record;
    const Field* field;
  };
  static constexpr size_t kCachedFields = 256;  ///< of `fields`
  CachedField fields[kCachedFields] = {};  ///< members that were found, by name
  int saved_errno = 0;                     ///< errno as the last C function left it
};

/// Precondition: the library was opened.
inline State& state_of(Vm& vm) { return static_cast<State&>(*vm.foreign_data); }

}  // namespace mangata::ffi
