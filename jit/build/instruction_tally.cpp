#include "jit/build/instruction_tally.h"

#include <algorithm>

#include "jit/region/instruction_costs.h"

namespace mangata::jit {

std::vector<BytecodePlace> InstructionTally::replaced_tables() const {
  std::vector<BytecodePlace> places;
  for (const auto& [function, pc] : replaced_) places.push_back({function->proto, function->original_pcs[static_cast<size_t>(pc)]});
  return places;
}

/// Calls of the runtime that the benefit has in it (instruction_costs.h). The others were taken for instructions that are inline.
bool InstructionTally::is_foreseen(const RegionFunction& function, int pc) const {
  constexpr double kOfACall = 40;  // cycles
  const bool is_list = function.code[static_cast<size_t>(pc)].op == Opcode::SetList;  // mostly inline
  return !is_list && cost_of(input_, function, static_cast<size_t>(pc)).region >= kOfACall;
}

uint64_t InstructionTally::runtime_percent() const {
  uint64_t all = 0, slow = 0;
  for (const auto& [place, copies] : copies_) {
    const auto& [function, pc] = place;
    const uint64_t count = function->sites[static_cast<size_t>(pc)].count;
    all += count;
    const auto found = by_runtime_.find(place);
    if (found != by_runtime_.end() && !is_foreseen(*function, pc)) slow += count * found->second / copies;
  }
  return 100 * slow / std::max<uint64_t>(all, 1);
}

uint64_t InstructionTally::leaving_percent() const {
  uint64_t sum = 0;
  for (const auto& [function, pc] : left_at_) sum += function->sites[static_cast<size_t>(pc)].count;
  return 100 * sum / std::max<uint64_t>(input_.recorded_events, 1);
}

}  // namespace mangata::jit
