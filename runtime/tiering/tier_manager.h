// Decides when a function is compiled, as the policy says, and has it done.
//
// Without a JIT (another processor, no executable memory, --policy=interpreter) it does nothing: the interpreter runs everything.
// Read next: vm/tier_hooks.h (what it hears), jit/jit.h (what it does).
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/tiering/policy_spec.h"
#include "vm/vm.h"

namespace mangata {

namespace jit {
class Jit;
}

class TierManager {
 public:
  TierManager(Vm& vm, const PolicySpec& policy, const StressSpec& stress, size_t max_code_bytes);
  ~TierManager();

  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void function_is_hot(Proto& proto) { compile(proto); }
  void loop_is_hot(Proto& proto) { compile(proto); }

  /// Null when nothing is compiled.
  jit::Jit* jit() { return jit_.get(); }

 private:
  void compile(Proto& proto);
  void set_countdowns(Proto& proto);

  PolicySpec policy_;
  StressSpec stress_;
  uint64_t random_;
  std::unique_ptr<jit::Jit> jit_;
};

}  // namespace mangata
