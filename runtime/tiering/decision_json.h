// Decisions and the snapshots they were made on as JSON, one line each: what --record-decisions writes and --policy=replay: reads.
#pragma once

#include <string>
#include <string_view>

#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/snapshot.h"

namespace mangata {

/// The first line of a record: what a policy says before it is asked about a function.
struct RecordHeader {
  int32_t entry = 0, loop = 0;  ///< of Policy::first
  bool samples = false;  ///< Policy::samples
  bool compiles = true;  ///< Policy::compiles
  bool counts_leaves = true;  ///< Policy::counts_leaves; older records do not have it
};

std::string header_to_json(const RecordHeader& header);
/// False: *error says why.
bool header_from_json(std::string_view line, RecordHeader* header, std::string* error);

/// @param deterministic  what was measured is left out
std::string region_to_json(uint64_t clock, const FunctionName& function, const jit::RegionOutcome& outcome, bool deterministic);

std::string exits_to_json(const ExitsRecord& record);

std::string totals_to_json(const std::vector<PolicyTotal>& totals);

/// @param cost           null: left out, as predicted and as measured
/// @param deterministic  what was measured is left out
std::string decision_to_json(const ProfileSnapshot& snapshot, const Decision& decision, const DecisionCost* cost,
                             bool deterministic = false);

/// False: the line is no decision; *error says why.
bool decision_from_json(std::string_view line, Snapshot* snapshot, Decision* decision, std::string* error);

}  // namespace mangata
