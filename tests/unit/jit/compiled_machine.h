// A virtual machine without libraries in which every function is compiled at its first call.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "jit/driver/jit.h"
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata {

class CompiledMachine : public TierHooks {
 public:
  explicit CompiledMachine(size_t max_code_bytes = CodeCache::kDefaultLimitBytes,
                           CodeObservers observers = {})
      : machine_(std::make_unique<Vm>()), vm(*machine_), jit(vm, max_code_bytes, std::move(observers)) {
    vm.hooks = this;
  }
  ~CompiledMachine() override { close(); }
  /// Prototypes give their code back. Nothing can be run afterwards.
  void close() { machine_.reset(); }

  void proto_created(Proto& proto) override {
    if (!jit.prepare()) return;
    jit.adopt(proto);
    proto.entry_countdown = 0;
    proto.loop_countdown = 0;
  }
  void proto_destroyed(Proto& proto) override { jit.release(proto); }
  void path_cut(Proto&, const Value*) override {}
  void function_is_hot(Proto& proto) override { compile(proto); }
  void loop_is_hot(Proto& proto) override { compile(proto); }

  /// The one result of a chunk; nil when it raised.
  Value run(std::string_view text) {
    const auto chunk = load(vm, text, "=test");
    if (!chunk.ok()) return Value::nil();
    Value* function = vm.main_thread->top;
    function[0] = Value::function(chunk.value());
    function[1].set_nil();
    function[2].set_nil();
    vm.main_thread->top = function + kCallOverheadSlots;
    const bool ok = protected_call(vm, function, 0, 1, Value::nil());
    vm.main_thread->top = function;
    return ok ? function[0] : Value::nil();
  }

  void collect() { (void)vm.heap.collect_full(); }

 private:
  std::unique_ptr<Vm> machine_;

 public:
  Vm& vm;
  jit::Jit jit;
  int compiled_count = 0;
  int refused_count = 0;

 private:
  void compile(Proto& proto) {
    if (proto.compiled != nullptr) return;
    ++(jit.compile(proto) ? compiled_count : refused_count);
  }
};

}  // namespace mangata
