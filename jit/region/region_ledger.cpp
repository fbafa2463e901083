#include "jit/region/region_ledger.h"

#include <algorithm>

#include "jit/region/region_builder.h"

namespace mangata::jit {

RegionState& RegionLedger::state_of(const Proto& proto, int head_pc) {
  std::vector<RegionState>& states = states_[&proto];
  const auto found = std::find_if(states.begin(), states.end(), [&](const RegionState& its) { return its.head_pc == head_pc; });
  if (found != states.end()) return *found;
  states.push_back({.head_pc = head_pc});
  return states.back();
}

void RegionLedger::note(const RegionReport& report) {
  RegionState& its = state_of(*report.proto, report.head_pc);
  its.line = report.line;
  its.is_installed = report.why.empty();
  its.why_not = report.why;
  its.profitable_after = report.profitable_after;
  if (report.code == nullptr) return;
  its.code = report.code;
  ++its.made;
}

void RegionLedger::uninstall(const Proto& proto, int head_pc, const std::string& why) {
  RegionState& its = state_of(proto, head_pc);
  its.is_installed = false;
  its.why_not = why;
}

void RegionLedger::asked_again(const Proto& proto) {
  if (const auto found = states_.find(&proto); found != states_.end())
    std::erase_if(found->second, [](const RegionState& its) { return its.made == 0; });
}

const std::vector<RegionState>* RegionLedger::of(const Proto& proto) const {
  const auto found = states_.find(&proto);
  return found == states_.end() ? nullptr : &found->second;
}

}  // namespace mangata::jit
