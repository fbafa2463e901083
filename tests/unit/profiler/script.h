// Runs Lua text with a profiler (and its tracer beside it) and keeps the profile.
#pragma once

#include <string>

#include "runtime/library_set/library_set.h"
#include "tests/unit/profiler/tracing_edge_profiler.h"
#include "tests/unit/profiler/tracing_profiler.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {

template <class Tracer>
class ScriptRun : public TierHooks {
 public:
  /// Runs to the end, or to the first error. `arguments` are those of the tracer.
  template <class... Arguments>
  explicit ScriptRun(const std::string& text, const std::string& chunk_name = "=test",
                     const Arguments&... arguments)
      : profiler(arguments...) {
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

  Tracer profiler;
  bool succeeded = false;

 protected:
  template <class Profile>
  static auto function_named(const std::string& name, const Profile& profile) {
    for (const auto& function : profile.functions) {
      if (function.name == name) return function;
    }
    return typename decltype(profile.functions)::value_type{};
  }
};

class ProfiledScript : public ScriptRun<TracingProfiler> {
 public:
  using ScriptRun::ScriptRun;
  /// The function of that name; an empty one when there is none.
  FunctionProfile function(const std::string& name) const {
    return function_named(name, profiler.snapshot());
  }
};

class EdgeProfiledScript : public ScriptRun<TracingEdgeProfiler> {
 public:
  using ScriptRun::ScriptRun;
  FunctionEdgeProfile function(const std::string& name) const {
    return function_named(name, profiler.snapshot());
  }
};

}  // namespace mangata
