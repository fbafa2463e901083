// What has become of instructions of the bytecode, in all copies of them: whether a region pays is told by that (build_region.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "jit/build/running_walk.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

class InstructionTally {
 public:
  explicit InstructionTally(const RegionInput& input) : input_(input) {}

  // --- of the running instruction
  void note_copy(const RunningWalk& walk) { ++copies_[place_of(walk)]; }
  /// It makes a table that is scalar-replaced.
  void note_replaced(const RunningWalk& walk) { replaced_.insert(place_of(walk)); }
  /// It has no place in a region.
  void note_left(const RunningWalk& walk) { left_at_.insert(place_of(walk)); }
  /// This copy has no fast path.
  void note_by_runtime(const RunningWalk& walk) { ++by_runtime_[place_of(walk)]; }

  // --- of all
  std::vector<BytecodePlace> replaced_tables() const;
  /// Of all instructions, by how often they were executed while recorded: those that are runtime calls here unforeseen.
  uint64_t runtime_percent() const;
  /// Of a hundred calls and iterations, by the same measure: those that would come to an instruction which leaves the region.
  uint64_t leaving_percent() const;

 private:
  using Place = std::pair<const RegionFunction*, int>;
  static Place place_of(const RunningWalk& walk) { return {&walk.function(), walk.pc}; }
  bool is_foreseen(const RegionFunction& function, int pc) const;

  const RegionInput& input_;
  std::map<Place, uint32_t> copies_;
  std::set<Place> replaced_, left_at_;
  std::map<Place, uint32_t> by_runtime_;
};

}  // namespace mangata::jit
