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

namespace mangata::jit {

struct RegionReport;

struct RegionState {
  int head_pc = -1;  ///< of the loop, in the original code; -1: it is the whole function
  int line = -1;     ///< likewise
  uint32_t made = 0;                 ///< regions of it, so far
  const RegionCode* code = nullptr;  ///< of the last of them
  bool is_installed = false;
  std::string why_not = {};  ///< empty when it is
  uint64_t profitable_after = 0;  ///< RegionReport::profitable_after
};

class RegionLedger {
 public:
  void note(const RegionReport& report);
  /// What was installed is so no more, and is to be made anew.
  void uninstall(const Proto& proto, int head_pc, const std::string& why);
  /// All regions of `proto` are asked for anew: what was refused before is no longer of interest.
  void asked_again(const Proto& proto);
  void forget(const Proto& proto) { states_.erase(&proto); }
  /// Null: there is nothing to say.
  const std::vector<RegionState>* of(const Proto& proto) const;

 private:
  RegionState& state_of(const Proto& proto, int head_pc);

  std::map<const Proto*, std::vector<RegionState>> states_;
};

}  // namespace mangata::jit
