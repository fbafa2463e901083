// Builds what a policy is shown of a function.
//
// Read next: policy_abi.h (the fields), snapshot.h, profiler/function_statistics.h.
#pragma once

#include <cstdint>

#include "runtime/tiering/function_table.h"
#include "runtime/tiering/snapshot.h"

namespace mangata {

/// Machine code of a function, and of the program.
struct CodeSize {
  uint64_t of_function = 0;  ///< bytes, in all versions
  uint64_t used = 0, limit = 0;  ///< bytes of the code cache
};

/// Why a function is asked about.
struct Question {
  mangata_occasion occasion = MANGATA_ASKED_CALLS;
  uint64_t events_since = 0;  ///< of the function, since the last decision about it
  uint64_t clock = 0;  ///< calls and backedges of the whole program so far
};

class SnapshotBuilder {
 public:
  struct Settings {
    bool describes = false;           ///< snapshots have names, events and regions: for policies that sample, and for logs
    bool has_profile = false;         ///< and what was counted: policies decide about that
    bool is_counted_exactly = false;  ///< the user wants something counted for the whole run
    bool is_reported = false;         ///< what policies want counted is reported at the end
    bool optimizes = false;           ///< functions may be optimized
  };
  explicit SnapshotBuilder(const Settings& settings) : settings_(settings) {}

  bool describes() const { return settings_.describes; }
  /// Fills in all but the regions. Precondition: FunctionState::sampled is there if snapshots are described.
  /// @param decodes_paths  statistics have the hottest paths, and of loops what takes decoding
  /// @param has_times      events have their time
  void build(const Proto& proto, const FunctionState& function, const Question& question, const CodeSize& code, bool decodes_paths,
             bool has_times, Snapshot* snapshot) const;

 private:
  const Settings settings_;
};

/// The tier that calls of `proto` run in, before regions.
uint32_t tier_of(const Proto& proto);

}  // namespace mangata
