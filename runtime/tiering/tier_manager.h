// Decides when a function is compiled, as the policy says, and has it done.
//
// Without a JIT (another processor, no executable memory, --policy=interpreter) it does nothing: the interpreter runs everything.
// Read next: vm/tier_hooks.h (what it hears), jit/jit.h (what it does).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/options.h"
#include "vm/vm.h"

namespace mangata {

namespace jit {
class Jit;
}

class TierManager {
 public:
  TierManager(Vm& vm, const Options& options);
  ~TierManager();

  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void function_is_hot(Proto& proto) { compile(proto); }
  void loop_is_hot(Proto& proto) { compile(proto); }

  /// Compiles `proto` and returns the text of its machine code (--dump=asm). Empty: *error says why there is none.
  std::optional<std::string> dump_machine_code(Proto& proto, std::string* error);

 private:
  void compile(Proto& proto);
  void set_countdowns(Proto& proto);

  PolicySpec policy_;
  StressSpec stress_;
  uint64_t random_;
  std::unique_ptr<jit::Jit> jit_;
};

}  // namespace mangata
