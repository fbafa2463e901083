#include "runtime/tiering/decision_record.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace mangata {

bool read_record(const std::string& file_name, DecisionRecord* record, std::string* error) {
  std::ifstream file(file_name);
  if (!file) {
    *error = file_name + ": " + std::strerror(errno);
    return false;
  }
  const auto fail = [&](int line, const std::string& why) {
    *error = file_name + ":" + std::to_string(line) + ": " + why;
    return false;
  };
  std::string text;
  if (!std::getline(file, text)) return fail(1, "it is empty, not a record of decisions");
  if (!header_from_json(text, &record->header, error))
    return fail(1, "no header of a record of decisions: " + *error);
  for (int line = 2; std::getline(file, text); ++line) {
    RecordedDecision& recorded = record->decisions.emplace_back();
    if (!decision_from_json(text, &recorded.snapshot, &recorded.decision, error))
      return fail(line, "no decision: " + *error);
  }
  return true;
}

std::string place_of(const ProfileSnapshot& snapshot) {
  return std::string(snapshot.source) + ":" + std::to_string(snapshot.line) + ":" + snapshot.name;
}

}  // namespace mangata
