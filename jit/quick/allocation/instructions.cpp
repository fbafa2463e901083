#include <algorithm>
#include <bit>
#include <utility>

#include "jit/quick/allocation/allocator.h"

namespace mangata::jit::quick {

void Allocator::allocate_instruction(uint32_t index) {
  at_ = index;
  const Instruction& in = code_.instructions[index];
  const std::span<Operand> operands(code_.operands.data() + in.first_operand, in.operand_count);
  if (in.is_commutative) swap_operands(in, operands.data());
  look_at_operands(operands);
  if (reserved_ != 0) {
    vacate_fixed(operands);
    place_fixed_uses(in, operands);
  }
  place_uses(operands);
  place_temporaries(operands);
  release_dead(operands);
  if (in.is_call) save_from_call(in.is_of_compiled_code ? machine_.kept_by_compiled_code : machine_.callee_saved);
  place_definitions(operands);
}

/// The result is written over the first operand, which had better be the one that is not needed any more.
void Allocator::swap_operands(const Instruction&, Operand* operands) {
  Operand& first = operands[0];
  Operand& second = operands[1];
  if (!is_use(first.use) || !is_use(second.use) || second.next_use != kNever || register_of_[second.value] == kNoRegister) return;
  const Register wanted = hint_[operands[2].value];
  const bool first_is_good = first.next_use == kNever && register_of_[first.value] != kNoRegister &&
                             (wanted == kNoRegister || register_of_[first.value] == wanted || register_of_[second.value] != wanted);
  if (first_is_good || first.value == second.value) return;
  std::swap(first.value, second.value);
  std::swap(first.next_use, second.next_use);
}

void Allocator::look_at_operands(std::span<Operand> operands) {
  wanted_ = reserved_ = late_ = 0;
  for (const Operand& operand : operands) {
    if (operand.fixed != kNoRegister) reserved_ |= set_of(operand.fixed);
    if (!is_use(operand.use)) continue;
    next_use_[operand.value] = operand.next_use;
    const Register reg = register_of_[operand.value];
    if (reg != kNoRegister) wanted_ |= set_of(reg);
  }
  code_.used_registers |= reserved_;
}

void Allocator::vacate_fixed(std::span<Operand> operands) {
  for (const Operand& operand : operands) {
    if (operand.fixed == kNoRegister || (occupied_ & set_of(operand.fixed)) == 0) continue;
    const ValueIndex holds = held_[operand.fixed];
    if (operand.use == Use::Fixed && holds == operand.value) continue;
    if (operand.use == Use::DefineFixed) {
      const bool is_late = std::any_of(operands.begin(), operands.end(), [&](const Operand& other) {
        return is_use(other.use) && other.value == holds && other.is_late;
      });
      if (!is_late) continue;
    }
    vacate(operand.fixed, reserved_);
  }
}

void Allocator::place_fixed_uses(const Instruction& in, std::span<Operand> operands) {
  for (Operand& operand : operands) {
    if (operand.use != Use::Fixed) continue;
    operand.assigned = operand.fixed;
    if (operand.is_late) late_ |= set_of(operand.fixed);
    const Register reg = register_of_[operand.value];
    if (reg == operand.fixed) continue;
    load(operand.value, operand.fixed);
    const bool stays = !in.is_call && reg == kNoRegister && operand.next_use != kNever;
    if (!stays || (occupied_ & set_of(operand.fixed)) != 0) continue;
    hold(operand.fixed, operand.value);
    wanted_ |= set_of(operand.fixed);
  }
}

void Allocator::place_uses(std::span<Operand> operands) {
  for (Operand& operand : operands) {
    if (operand.use == Use::Register) place_use(operand);
  }
  for (Operand& operand : operands) {
    if (operand.use == Use::Any) place_use(operand);
  }
}

void Allocator::place_use(Operand& operand) {
  Register reg = register_of_[operand.value];
  if (reg == kNoRegister) {
    if (operand.use == Use::Any) {
      operand.assigned = kNoRegister;
      if (operand.next_use == kNever || free_registers(operand.value, reserved_) == 0) return;
    }
    reg = take_register(operand.value, reserved_ | wanted_);
    load(operand.value, reg);
    hold(reg, operand.value);
    wanted_ |= set_of(reg);
  }
  operand.assigned = reg;
  if (operand.is_late) late_ |= set_of(reg);
}

void Allocator::place_temporaries(std::span<Operand> operands) {
  for (Operand& operand : operands) {
    if (operand.use != Use::Temporary) continue;
    operand.assigned = operand.fixed != kNoRegister ? operand.fixed : take_register(operand.value, reserved_ | wanted_ | late_);
    code_.used_registers |= set_of(operand.assigned);
    late_ |= set_of(operand.assigned);
    wanted_ |= set_of(operand.assigned);
  }
}

void Allocator::release_dead(std::span<Operand> operands) {
  for (const Operand& operand : operands) {
    if (!is_use(operand.use) || operand.next_use != kNever) continue;
    const Register reg = register_of_[operand.value];
    if (reg != kNoRegister) release(reg);
  }
}

/// What is needed behind it moves to registers that the call leaves alone, or to memory; in cold code always to memory.
void Allocator::save_from_call(RegisterSet kept) {
  code_.used_registers |= machine_.callee_saved & ~kept;
  for (RegisterSet rest = occupied_ & ~kept; rest != 0; rest &= rest - 1) {
    const auto reg = static_cast<Register>(std::countr_zero(rest));
    const RegisterSet all = ~RegisterSet{0};
    vacate(reg, code_.blocks[block_].is_cold ? all : ~kept | reserved_ | wanted_);
  }
}

void Allocator::place_definitions(std::span<Operand> operands) {
  for (Operand& operand : operands) {
    if (operand.use != Use::DefineFixed) continue;
    vacate(operand.fixed, reserved_ | late_ | wanted_);
    define(operand, operand.fixed);
    late_ |= set_of(operand.fixed);
  }
  for (Operand& operand : operands) {
    if (operand.use == Use::DefineAsFirst) place_as_first(operands, operand);
  }
  for (Operand& operand : operands) {
    if (operand.use != Use::Define) continue;
    // In place of its first operand, where that is not needed any more.
    const Operand& first = operands[0];
    Register reg = kNoRegister;
    if (hint_[operand.value] == kNoRegister && is_use(first.use) && first.assigned != kNoRegister &&
        (free_registers(operand.value, late_) & set_of(first.assigned)) != 0 && !liveness_.crosses_call(operand.value)) {
      reg = first.assigned;
    } else {
      reg = take_register(operand.value, late_);
    }
    define(operand, reg);
    late_ |= set_of(reg);
  }
  for (const Operand& operand : operands) {
    if (is_definition(operand.use) && operand.next_use == kNever) release(operand.assigned);
  }
}

void Allocator::place_as_first(std::span<Operand> operands, Operand& result) {
  Operand& first = operands[0];
  Register reg = first.assigned;
  const bool is_free = ((occupied_ | late_) & set_of(reg)) == 0;
  if (!is_free) {
    RegisterSet read = late_ | reserved_;
    for (const Operand& operand : operands) {
      if (is_use(operand.use) && operand.assigned != kNoRegister) read |= set_of(operand.assigned);
    }
    reg = take_register(result.value, read);
    move(in_register(first.assigned), in_register(reg));
    first.assigned = reg;
  }
  define(result, reg);
  late_ |= set_of(reg);
}

void Allocator::define(Operand& operand, Register reg) {
  operand.assigned = reg;
  hold(reg, operand.value);
  set_in_memory(operand.value, false);
  next_use_[operand.value] = operand.next_use;
}

}  // namespace mangata::jit::quick
