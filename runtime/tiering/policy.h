// Tiering policies: who decides how a function runs and what is counted in it.
//
// Adding one to the tree touches two files: its own, with a function that makes it, and the table in policies.def.
//
// Read next: runtime/tiering/policy_abi.h (what a policy sees and says), runtime/tiering/tier_manager.h (who asks).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tiering/policy_abi.h"

namespace mangata {

namespace jit {
struct RegionSettings;
}

using ProfileSnapshot = mangata_profile_snapshot;
using Decision = mangata_decision;

/// Something that a policy has counted over the whole run, for the log.
struct PolicyTotal {
  const char* what;  ///< as the log has it
  uint64_t count;  ///< so far
};

class Policy {
 public:
  /// Of policies that do not need samples more often.
  static constexpr int32_t kSamplePeriod = 1024;

  virtual ~Policy() = default;

  /// True when decisions depend on what machine code counts: then it is compiled so that it counts.
  virtual bool samples() const { return false; }
  /// How many calls and backedges lie between two samples of what machine code is running, on average: what is counted for a function
  /// in ProfileSnapshot::events grows by about so much at a time. kSamplePeriod grows with the run, up to four times (asker.cpp).
  virtual int32_t sample_period() const { return kSamplePeriod; }
  /// True: decisions may ask for optimized code, so loops of baseline code are compiled to be left for it.
  virtual bool optimizes() const { return false; }
  /// Whether it wants to hear of calls of functions that are too small for optimized code of their own.
  virtual bool counts_leaves() const { return true; }
  /// False: nothing is ever compiled, so no JIT is made.
  virtual bool compiles() const { return true; }
  /// Whether the next decision about a function whose last one left this memory looks at loops or paths of its snapshot. False saves
  /// time: they are only decoded for a log then.
  virtual bool looks_at_paths(const uint64_t (& /*memory*/)[MANGATA_MEMORY_WORDS]) const { return true; }
  /// True: snapshots must name the function even when nothing is logged. Policies that sample get names
  /// anyway.
  virtual bool needs_names() const { return false; }
  /// Before a function runs for the first time: entry and loop.
  virtual void first(Decision* decision) = 0;
  /// Pure but for the parameters that the policy was made with.
  /// @param decision  filled in with what is installed, countdowns at MANGATA_NEVER
  virtual void decide(const ProfileSnapshot& snapshot, Decision* decision) = 0;
  /// For the log, when the program ends.
  virtual std::vector<PolicyTotal> totals() const { return {}; }
};

/// A policy by the value of --policy=: a name, or the path of a plug-in (.so) or of a script (.lua), and parameters behind a colon.
/// Null: *error says what is wrong.
/// @param regions  what parameters of policies that are made for trying the optimizer say of it is set there; null: is ignored
std::unique_ptr<Policy> make_policy(std::string_view spec, std::string* error, jit::RegionSettings* regions = nullptr);

/// A policy of functions in memory, which outlive it; only `first` and `decide` are called, and `destroy` at its end.
std::unique_ptr<Policy> make_function_policy(const mangata_policy& functions, void* self);

/// A policy as --policy= takes it.
struct PolicyForm {
  std::string form;  ///< "name[:parameters]"; of those in files it begins with "./"
  std::string description;  ///< for --help
};
/// The built-in ones, and those in files.
std::vector<PolicyForm> describe_policies();

/// A decision as decide() gets it: what the last one said, countdowns are at MANGATA_NEVER.
/// @param tier  installed: a decision may not have been followed, when the code cache is full
Decision decision_to_start_from(const Decision& last, uint32_t tier);

/// Writes `text` into `out`, shortened when it is too long.
template <size_t N>
void copy_text(std::string_view text, char (&out)[N]) {
  const size_t length = std::min(text.size(), N - 1);
  std::copy_n(text.begin(), length, out);
  out[length] = '\0';
}

/// Writes `text` into decision->reason, shortened when it is too long.
inline void give_reason(Decision* decision, std::string_view text) { copy_text(text, decision->reason); }

}  // namespace mangata
