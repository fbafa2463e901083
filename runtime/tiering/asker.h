// Who asks the policy: when a function is asked about, and what is made of the answer.
//
// Invariant: a decision that leaves here can be followed: its reason ends, and it wants nothing counted that is not up to policies.
// Read next: snapshot_builder.h (what the policy is shown), tier_manager.h (who follows).
#pragma once

#include <cstdint>

#include "runtime/tiering/function_table.h"
#include "runtime/tiering/policy.h"
#include "vm/random_sequence.h"

namespace mangata {

/// A countdown of the interpreter or of machine code, from a decision.
inline int32_t countdown(int32_t wanted) { return wanted < 0 ? MANGATA_NEVER : wanted; }

class Asker {
 public:
  /// @param decides_what_is_counted  false: the user wants something counted for the whole run, or the policy does not sample
  Asker(Policy& policy, bool decides_what_is_counted) : policy_(policy), decides_what_is_counted_(decides_what_is_counted) {}

  /// Installs the countdowns of a function that no decision was made about.
  void set_first_countdowns(Proto& proto);
  /// Calls and backedges in machine code until the next sample. Distances vary, so that samples do not fall into step with a loop.
  /// @param so_far  events of all functions
  int32_t next_sample_distance(uint64_t so_far);
  /// Events in the interpreter that have led to the question.
  uint64_t events_before(const FunctionState& function, mangata_occasion occasion);
  /// Whether the function has counted as many events in machine code as its last decision wanted.
  static bool is_due(const FunctionState& function);
  /// Asks. @param tier  that is installed
  Decision ask(const ProfileSnapshot& snapshot, const FunctionState& function, uint32_t tier);

 private:
  Policy& policy_;
  const bool decides_what_is_counted_;
  RandomSequence random_;  ///< of the distances between samples
};

}  // namespace mangata
