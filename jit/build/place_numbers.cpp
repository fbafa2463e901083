#include "jit/build/place_numbers.h"

#include <utility>

namespace mangata::jit {

uint32_t PlaceNumbers::number_of(const RunningWalk& walk) {
  const std::vector<InlineFrame>& frames = walk.state.frames;
  std::vector<const Instruction*> stack;
  for (size_t i = 0; i < frames.size(); ++i) {
    const bool is_top = i + 1 == frames.size();
    const int pc = is_top ? walk.pc : frames[i + 1].return_pc - 1;
    stack.push_back(frames[i].function->address + pc);
  }
  return numbers_.try_emplace(std::move(stack), static_cast<uint32_t>(numbers_.size())).first->second + 1;
}

std::vector<std::vector<const Instruction*>> PlaceNumbers::take() {
  std::vector<std::vector<const Instruction*>> stacks(numbers_.size());
  for (const auto& [stack, number] : numbers_) stacks[number] = stack;
  return stacks;
}

}  // namespace mangata::jit
