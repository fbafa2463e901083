// Runs Lua text with the path profiler (and the tracer beside it) and keeps the profile.
#pragma once

#include <string>

#include "runtime/lib/libraries.h"
#include "tests/unit/profiler/tracing_profiler.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {

class ProfiledScript : public TierHooks {
 public:
  /// Runs to the end, or to the first error.
  explicit ProfiledScript(const std::string& text, const std::string& chunk_name = "=test") {
    Vm vm;
    vm.hooks = this;
    open_libraries(vm);
    const auto chunk = load(vm, text, chunk_name);
    if (!chunk.ok()) return;
    Value* function = vm.main_thread->top;
    function[0] = Value::function(chunk.value());
    function[1].set_nil();
    function[2].set_nil();
    vm.main_thread->top = function + kCallOverheadSlots;
    succeeded = protected_call(vm, function, 0, 0, Value::nil());
    vm.main_thread->top = function;
  }

  void proto_created(Proto& proto) override { profiler.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { profiler.proto_destroyed(proto); }
  void path_cut(Proto& proto, const Value* base) override {
    profiler.trace_cut(proto, base);
    profiler.path_cut(proto, base);
  }

  /// The function of that name; an empty one when there is none.
  FunctionProfile function(const std::string& name) const {
    for (FunctionProfile& function : profiler.snapshot().functions) {
      if (function.name == name) return function;
    }
    return {};
  }

  TracingProfiler profiler;
  bool succeeded = false;
};

}  // namespace mangata
