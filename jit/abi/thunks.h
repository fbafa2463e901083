// The few pieces of machine code that all compiled functions share.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/code_memory/code_cache.h"
#include "jit/observers/code_observer.h"
#include "vm/bytecode/proto.h"
#include "vm/vm.h"

namespace mangata::jit {

struct Thunks {
  /// C++ to compiled code: sets the pinned registers and goes on at `address`, until that frame returns.
  using Enter = int64_t (*)(Thread* thread, Value* base, const void* address, int64_t path_register, Vm* vm);
  Enter enter = nullptr;
  /// The same for a call: `entry` is one of Proto::native_entries, for any number of arguments.
  using CallCompiled = int64_t (*)(Thread* thread, Value* base, const void* entry, int64_t argument_count,
                                   Vm* vm);
  CallCompiled call_compiled = nullptr;
  /// Proto::native_entries of functions that are not compiled; the last is also where compiled ones go when a
  /// stack is short.
  const void* call_function[kNativeEntries] = {};
  const void* call_function_counted() const { return call_function[kNativeEntries - 1]; }
  /// Proto::native_entries of functions with an installed region (jit/baseline/function_region_stub.h).
  const void* enter_region[kNativeEntries] = {};
  /// Goes on in the interpreter with the frame at rbx, from its saved pc, and returns to that frame's caller.
  const void* leave_to_interpreter = nullptr;
  /// Jumped to by compiled code: jit/baseline/switch_stub.h.
  const void* switch_coroutine = nullptr;

  /// Called by compiled code: jit/baseline/site_stubs.h. By MetamethodResult, and by SiteAccess.
  const void* metamethod[3] = {};
  const void* access[9] = {};
  const void* call_of_other = nullptr;
  /// Likewise: jit/baseline/map_stubs.h.
  const void* get_by_key = nullptr;
  const void* set_by_key = nullptr;

  CodeRegion region;
  std::vector<CodeDescription> descriptions = {};  ///< for observers
};

}  // namespace mangata::jit
