#include <bit>

#include "jit/quick/allocation/allocator.h"

namespace mangata::jit::quick {

RegisterSet Allocator::free_registers(ValueIndex value, RegisterSet forbidden) const {
  return machine_.allocatable & class_set(value) & ~occupied_ & ~forbidden;
}

Register Allocator::best_free(ValueIndex value, RegisterSet available) const {
  if (available == 0) return kNoRegister;
  for (const Register wanted : {hint_[value], liveness_.hint(value)}) {
    if (wanted == kNoRegister || (available & set_of(wanted)) == 0) continue;
    if (!liveness_.crosses_call(value) || (machine_.callee_saved & set_of(wanted)) != 0) return wanted;
  }
  const RegisterSet saved = available & machine_.callee_saved;
  const RegisterSet clobbered = available & ~machine_.callee_saved;
  RegisterSet choice = saved;
  if (liveness_.crosses_call(value)) {
    if (choice == 0) choice = clobbered;
  } else if (clobbered != 0) {
    choice = clobbered;
  }
  if (choice == saved && (saved & code_.used_registers) != 0) choice = saved & code_.used_registers;
  return static_cast<Register>(std::countr_zero(choice));
}

Register Allocator::take_register(ValueIndex value, RegisterSet forbidden) {
  const Register found = best_free(value, free_registers(value, forbidden));
  if (found != kNoRegister) return found;
  Register farthest = kNoRegister;
  uint64_t most = 0;
  for (RegisterSet rest = machine_.allocatable & class_set(value) & occupied_ & ~forbidden; rest != 0; rest &= rest - 1) {
    const auto reg = static_cast<Register>(std::countr_zero(rest));
    const ValueIndex held = held_[reg];
    const bool is_cheap = code_.values[held].is_constant || is_in_memory(held);
    const uint64_t score = uint64_t{next_use_[held]} + (is_cheap ? 16 : 0) + 1;
    if (score > most) most = score, farthest = reg;
  }
  if (farthest != kNoRegister) evict(farthest);
  return farthest;
}

void Allocator::hold(Register reg, ValueIndex value) {
  held_[reg] = value;
  register_of_[value] = reg;
  occupied_ |= set_of(reg);
  code_.used_registers |= set_of(reg);
}

void Allocator::release(Register reg) {
  if ((occupied_ & set_of(reg)) == 0) return;
  register_of_[held_[reg]] = kNoRegister;
  held_[reg] = kNone;
  occupied_ &= ~set_of(reg);
}

uint32_t Allocator::slot_of(ValueIndex value) {
  uint32_t& slot = code_.values[value].slot;
  if (slot == kNone) slot = code_.slot_count++;
  return slot;
}

void Allocator::set_in_memory(ValueIndex value, bool is_there) {
  const uint32_t number = liveness_.number(value);
  if (number == kNone) {
    local_in_memory_[value] = is_there ? 1 : 0;
  } else if (is_there) {
    memory_[number / 64] |= uint64_t{1} << (number % 64);
  } else {
    memory_[number / 64] &= ~(uint64_t{1} << (number % 64));
  }
}

/// Stores it here if that happens less often than its definition.
void Allocator::ensure_in_memory(ValueIndex value) {
  Value& stored = code_.values[value];
  if (stored.is_constant) return;
  slot_of(value);
  if (is_in_memory(value)) return;
  set_in_memory(value, true);
  if (frequency(code_.blocks[block_]) < frequency(code_.blocks[stored.block])) {
    move(in_register(register_of_[value]), in_slot(value));
  } else {
    stored.spills_at_definition = true;
  }
}

void Allocator::evict(Register reg) {
  ensure_in_memory(held_[reg]);
  release(reg);
}

void Allocator::vacate(Register reg, RegisterSet forbidden) {
  if ((occupied_ & set_of(reg)) == 0) return;
  const ValueIndex value = held_[reg];
  const Register other = code_.values[value].is_constant ? kNoRegister : best_free(value, free_registers(value, forbidden));
  if (other == kNoRegister) return evict(reg);
  move(in_register(reg), in_register(other));
  release(reg);
  hold(other, value);
  if ((wanted_ & set_of(reg)) != 0) wanted_ |= set_of(other);
}

Location Allocator::location_of(ValueIndex value) const {
  if (register_of_[value] != kNoRegister) return in_register(register_of_[value]);
  return code_.values[value].is_constant ? as_constant(value) : in_slot(value);
}

void Allocator::load(ValueIndex value, Register reg) {
  move(location_of(value), in_register(reg));
}

void Allocator::move(Location from, Location to) {
  if (to.kind == Location::Kind::Register) code_.used_registers |= set_of(to.reg);
  code_.moves.push_back({at_, from, to, false});
}

}  // namespace mangata::jit::quick
