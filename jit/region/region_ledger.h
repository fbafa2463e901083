// What has become of the regions of each function: what policies see of them.
//
// Of each loop, and of the function as a whole, the last region counts, and the last reason why there is none.
// Read next: region_builder.h (who keeps it), runtime/tiering/policy_abi.h (who reads it).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "jit/region/region_input.h"
#include "jit/region/region_outcome.h"

namespace mangata::jit {

struct RegionState {
  RegionOutcome last = {};  ///< without its texts; its code is that of the region that was made last
  uint32_t made = 0;        ///< regions, so far
};

class RegionLedger {
 public:
  /// A compilation has ended.
  void note(const RegionOutcome& outcome);
  /// What was installed is so no more, and is to be made anew.
  void uninstall(const RegionPlace& place, const std::string& why);
  /// All regions of `proto` are asked for anew: what was refused before is no longer of interest.
  void asked_again(const Proto& proto);
  void forget(const Proto& proto) { states_.erase(&proto); }
  /// Null: there is nothing to say.
  const std::vector<RegionState>* of(const Proto& proto) const;

 private:
  RegionState& state_of(const RegionPlace& place);

  std::map<const Proto*, std::vector<RegionState>> states_;
};

}  // namespace mangata::jit
