// Asks the policy about functions, and does what it says: machine code, versions of the bytecode that count paths, and when to
// ask again.
//
// Without machine code (another processor, no executable memory, --policy=interpreter) it does nothing: the interpreter runs
// everything. While exact profiles are asked for, policies decide about machine code only.
// Read next: runtime/tiering/policy_abi.h, vm/tier_hooks.h (what it hears), profiler/sampled_profiler.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "profiler/sampled_profiler.h"
#include "runtime/options.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/machine_code.h"
#include "runtime/tiering/policy.h"
#include "vm/vm.h"

namespace mangata {

class TierManager {
 public:
  TierManager(Vm& vm, const Options& options);
  ~TierManager();

  // What TierHooks reports (vm/tier_hooks.h)
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void function_is_hot(Proto& proto);
  void loop_is_hot(Proto& proto);
  void sample_is_due(Proto& proto);

  /// The program ends: the last line of the log. Once.
  void finish();

  /// Compiles `proto` and returns the text of its machine code (--dump=asm). Empty: *error says why there is none.
  std::optional<std::string> dump_machine_code(Proto& proto, std::string* error);

  /// What policies have had counted; nothing while exact profiles are asked for.
  PathProfile sampled_profile() const { return sampled_.snapshot(); }

 private:
  /// What is known of a function that was asked about.
  struct Function {
    Decision decision = {};  ///< the last one
    uint32_t asked = 0;
    uint32_t versions = 0;
    SamplingPlan plan;       ///< in force
    uint32_t generation = 0;  ///< of preferred paths
  };

  void ask(Proto& proto, mangata_occasion occasion);
  void set_first_countdowns(Proto& proto);
  void account(Proto& proto, Function& function, mangata_occasion occasion, ProfileSnapshot* snapshot);
  void apply(Proto& proto, Function& function, const Decision& decision, DecisionCost* cost);
  void change_plan(Proto& proto, Function& function, const Decision& decision);
  SamplingPlan plan_of(Function& function, const Decision& decision) const;

  Vm& vm_;
  std::shared_ptr<Policy> policy_;
  const bool profiles_;    ///< policies decide what is counted
  const bool describes_;   ///< snapshots have names
  std::unique_ptr<MachineCode> code_;
  SampledProfiler sampled_;
  DecisionLog log_;
  std::unordered_map<const Proto*, Function> functions_;
  uint64_t clock_ = 0;
  bool finished_ = false;
};

}  // namespace mangata
