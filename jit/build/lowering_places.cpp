// From which instructions of the bytecode operations come (debug_places.h).
#include "jit/build/lowering.h"

namespace mangata::jit {

/// What is generated from here on comes from the running instruction.
void Lowering::note_place() {
  if (!input_.keeps_places) return;
  std::vector<const Instruction*> stack;
  for (size_t i = 0; i < state_.frames.size(); ++i) {
    const bool is_top = i + 1 == state_.frames.size();
    const int pc = is_top ? pc_ : state_.frames[i + 1].return_pc - 1;
    stack.push_back(state_.frames[i].function->address + pc);
  }
  const uint32_t number = place_numbers_.try_emplace(std::move(stack), static_cast<uint32_t>(place_numbers_.size())).first->second;
  b_.set_place(number + 1);
}

void Lowering::forget_place() { b_.set_place(0); }

std::vector<std::vector<const Instruction*>> Lowering::take_places() {
  std::vector<std::vector<const Instruction*>> stacks(place_numbers_.size());
  for (const auto& [stack, number] : place_numbers_) stacks[number] = stack;
  return stacks;
}

}  // namespace mangata::jit
