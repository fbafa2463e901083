// Decisions and the snapshots they were made on as JSON, one line each: what --record-decisions writes and --policy=replay: reads.
#pragma once

#include <string>
#include <string_view>

#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/snapshot.h"

namespace mangata {

/// @param cost  null: left out
std::string decision_to_json(const ProfileSnapshot& snapshot, const Decision& decision, const DecisionCost* cost);

/// False: the line is no decision; *error says why.
bool decision_from_json(std::string_view line, Snapshot* snapshot, Decision* decision, std::string* error);

}  // namespace mangata
