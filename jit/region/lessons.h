// What exits of regions have said of instructions.
//
// [DESIGN] A region that is left often by a failed check is made anew from its record, in which that instruction is then marked. Other
// regions that inline the same function have records of their own, and would fail there one after the other. So what was learnt once is
// told to every record before a region is made from it.
#pragma once

#include <set>
#include <unordered_map>

#include "jit/region/type_recorder.h"

namespace mangata::jit {

class Lessons {
 public:
  /// A check of the instruction has failed often.
  void check_failed(const Proto& proto, OriginalPc pc) { functions_[&proto].unstable.insert(pc); }
  /// A branch has often gone where the region had nothing.
  void branch_went(const Proto& proto, OriginalPc pc, bool taken) { functions_[&proto].arms.insert({pc, taken}); }
  /// Adds it to what is known of functions that the record has seen.
  void teach(TypeRecorder* types) const;
  void forget(const Proto& proto) { functions_.erase(&proto); }

 private:
  struct Function {
    std::set<OriginalPc> unstable;
    std::set<std::pair<OriginalPc, bool>> arms;
  };
  std::unordered_map<const Proto*, Function> functions_;
};

}  // namespace mangata::jit
