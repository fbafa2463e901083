// A policy run over the snapshots of an earlier run (--record-decisions), without the program.
//
// [DESIGN] Policies are pure, so the snapshots are all they need. What a policy remembers (memory) and what
// it has installed (tier, profile) come from its own decisions; everything that was counted comes from the
// record. So a simulation tells exactly what another policy, or another version of one, says about the same
// data; it cannot tell what that policy would have seen: whoever asks for other profiles, or at other
// moments, gets other counts, and the program runs at another speed. Read next: runtime/tiering/policy.h,
// runtime/tiering/README.md.
#pragma once

#include <string>

#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/decision_record.h"

namespace mangata {

/// Runs the policy over the record, writes its decisions to the logs, and returns what --simulate prints: how
/// many decisions agree with the recorded ones, the first that does not, the plans of each function, and
/// (unless log.deterministic) the speed.
std::string simulate(DecisionRecord& record, Policy& policy, const LogOptions& log);

}  // namespace mangata
