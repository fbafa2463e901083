#include "jit/region/region_ledger.h"

#include <algorithm>

namespace mangata::jit {

RegionState& RegionLedger::state_of(const RegionPlace& place) {
  std::vector<RegionState>& states = states_[place.proto];
  const auto found =
      std::find_if(states.begin(), states.end(), [&](const RegionState& state) { return state.last.place.head_pc == place.head_pc; });
  if (found != states.end()) return *found;
  states.push_back({.last = {.place = place}});
  return states.back();
}

void RegionLedger::note(const RegionOutcome& outcome) {
  RegionState& state = state_of(outcome.place);
  state.last.place = outcome.place;
  state.last.why_not = outcome.why_not;
  state.last.profitable_after = outcome.profitable_after;
  if (outcome.code == nullptr) return;
  state.last.code = outcome.code;
  ++state.made;
}

void RegionLedger::uninstall(const RegionPlace& place, const std::string& why) { state_of(place).last.why_not = why; }

void RegionLedger::asked_again(const Proto& proto) {
  if (const auto found = states_.find(&proto); found != states_.end())
    std::erase_if(found->second, [](const RegionState& state) { return state.made == 0; });
}

const std::vector<RegionState>* RegionLedger::of(const Proto& proto) const {
  const auto found = states_.find(&proto);
  return found == states_.end() ? nullptr : &found->second;
}

}  // namespace mangata::jit
