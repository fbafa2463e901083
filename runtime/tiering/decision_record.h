// What --record-decisions has written, read back: for --policy=replay: and for the simulator.
#pragma once

#include <deque>
#include <string>

#include "runtime/tiering/decision_json.h"

namespace mangata {

struct RecordedDecision {
  Snapshot snapshot;
  Decision decision = {};
};

struct DecisionRecord {
  RecordHeader header;
  std::deque<RecordedDecision> decisions;  ///< in the order in which they were made
};

/// False: *error is "FILE: why" or "FILE:LINE: why".
bool read_record(const std::string& file_name, DecisionRecord* record, std::string* error);

/// "source:line:name" of the function that a snapshot is of: the same in another run of the program.
std::string place_of(const ProfileSnapshot& snapshot);

}  // namespace mangata
