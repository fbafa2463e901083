// Where values are when a block begins.
#include <algorithm>
#include <bit>

#include "jit/quick/allocation/allocator.h"

namespace mangata::jit::quick {

void Allocator::begin_block(BlockIndex index) {
  block_ = index;
  const Block& block = code_.blocks[index];
  held_.fill(kNone);
  occupied_ = 0;
  code_.blocks[index].first_move = static_cast<uint32_t>(code_.moves.size());
  uint32_t primary = kNone;
  if (block.predecessor_count != 0) {
    primary = warmest_predecessor(block);
    if (primary == kNone) return begin_in_memory(index);
    take_over(index, code_.edges[primary].from);
    if (block.loop == index && !block.is_cold) begin_loop(index);
    place_parameters(block, primary);
  }
  starts_[index] = held_;
  std::copy(memory_.begin(), memory_.end(), start_memory_.begin() + static_cast<ptrdiff_t>(index * words_));
}

/// None of its predecessors is done, as in a loop that is entered at several places: all is in memory.
void Allocator::begin_in_memory(BlockIndex index) {
  const Block& block = code_.blocks[index];
  const std::span<const uint64_t> live = liveness_.live_bits(index);
  std::copy(live.begin(), live.end(), memory_.begin());
  for (const LiveValue& value : liveness_.live_in(index)) {
    next_use_[value.value] = value.distance;
    if (!code_.values[value.value].is_constant) slot_of(value.value);
  }
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    register_of_[parameter] = kNoRegister;
    next_use_[parameter] = liveness_.first_use(parameter);
    code_.parameter_registers[block.first_parameter + p] = kNoRegister;
    set_in_memory(parameter, next_use_[parameter] != kNever);
    if (next_use_[parameter] != kNever) slot_of(parameter);
  }
  starts_[index] = held_;
  std::copy(memory_.begin(), memory_.end(), start_memory_.begin() + static_cast<ptrdiff_t>(index * words_));
}

/// Of those that are done; among equals the last, which may be the one in front.
uint32_t Allocator::warmest_predecessor(const Block& block) const {
  uint32_t best = kNone;
  for (uint32_t p = 0; p < block.predecessor_count; ++p) {
    const uint32_t edge = code_.predecessors[block.first_predecessor + p];
    const BlockIndex from = code_.edges[edge].from;
    if (is_done_[from] == 0) continue;
    if (best == kNone || frequency(code_.blocks[from]) >= frequency(code_.blocks[code_.edges[best].from])) best = edge;
  }
  return best;
}

void Allocator::take_over(BlockIndex index, BlockIndex from) {
  const Block& block = code_.blocks[index];
  const std::span<const uint64_t> live = liveness_.live_bits(index);
  std::copy(live.begin(), live.end(), memory_.begin());
  for (uint32_t p = 0; p < block.predecessor_count; ++p) {
    const BlockIndex other = code_.edges[code_.predecessors[block.first_predecessor + p]].from;
    if (is_done_[other] == 0) continue;
    for (size_t w = 0; w < words_; ++w) memory_[w] &= end_memory_[other * words_ + w];
  }
  std::vector<uint64_t>& elsewhere = not_in_registers_;
  elsewhere.assign(live.begin(), live.end());
  const Held& end = ends_[from];
  for (Register reg = 0; reg < kRegisters; ++reg) {
    const ValueIndex value = end[reg];
    if (value == kNone || !liveness_.is_live_in(index, value)) continue;
    hold(reg, value);
    next_use_[value] = liveness_.distance(index, value);
    const uint32_t number = liveness_.number(value);
    elsewhere[number / 64] &= ~(uint64_t{1} << (number % 64));
  }
  for (size_t w = 0; w < words_; ++w) memory_[w] |= elsewhere[w];
}

void Allocator::begin_loop(BlockIndex index) {
  for (const RegisterClass kind : {RegisterClass::General, RegisterClass::Float}) {
    drop_unused(index, kind);
    load_used(index, kind);
  }
}

/// What the loop does not use keeps a register if the loop needs fewer.
void Allocator::drop_unused(BlockIndex head, RegisterClass kind) {
  const RegisterSet all = machine_.allocatable & (kind == RegisterClass::General ? kGeneralRegisters : kFloatRegisters);
  constexpr int kForTemporaries = 1;
  int spare = std::popcount(all) - static_cast<int>(liveness_.pressure(head, kind)) - kForTemporaries;
  for (RegisterSet rest = occupied_ & all; rest != 0; rest &= rest - 1) {
    const auto reg = static_cast<Register>(std::countr_zero(rest));
    const ValueIndex value = held_[reg];
    if (next_use_[value] < kFar || --spare >= 0) continue;
    if (!code_.values[value].is_constant) slot_of(value), set_in_memory(value, true);  // the edges into the loop store it
    release(reg);
  }
}

/// What the loop uses, the sooner the better, with registers left for parameters and for what is computed.
void Allocator::load_used(BlockIndex head, RegisterClass kind) {
  const Block& block = code_.blocks[head];
  int spare = std::popcount(machine_.allocatable & ~occupied_ & (kind == RegisterClass::General ? kGeneralRegisters : kFloatRegisters)) - 2;
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    if (code_.values[parameter].kind == kind && liveness_.first_use(parameter) < kFar) --spare;
  }
  std::vector<LiveValue> wanted;
  for (const LiveValue& live : liveness_.live_in(head)) {
    if (code_.values[live.value].kind == kind && register_of_[live.value] == kNoRegister && live.distance < kFar) wanted.push_back(live);
  }
  std::sort(wanted.begin(), wanted.end(), [](const LiveValue& a, const LiveValue& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.value < b.value;
  });
  for (const LiveValue& live : wanted) {
    next_use_[live.value] = live.distance;
    if (--spare < 0) return;
    const Register reg = best_free(live.value, free_registers(live.value, 0));
    if (reg == kNoRegister) return;
    hold(reg, live.value);  // the edges into the loop load it
  }
}

void Allocator::place_parameters(const Block& block, uint32_t primary_edge) {
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    set_in_memory(parameter, false);
    register_of_[parameter] = kNoRegister;
    next_use_[parameter] = liveness_.first_use(parameter);
    if (next_use_[parameter] == kNever) continue;
    const Edge& primary = code_.edges[primary_edge];
    const Location& argument = argument_locations_[primary.first_argument + p];
    place_parameter(block, parameter, argument.kind == Location::Kind::Register ? argument.reg : kNoRegister);
    const Register reg = register_of_[parameter];
    if (reg == kNoRegister) {
      slot_of(parameter);
      set_in_memory(parameter, true);
    }
  }
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    code_.parameter_registers[block.first_parameter + p] = register_of_[code_.parameters[block.first_parameter + p]];
  }
  if (block.is_cold) return;
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    if (register_of_[parameter] != kNoRegister) hint_[parameter] = kNoRegister, hint(parameter, register_of_[parameter]);
  }
}

void Allocator::place_parameter(const Block& block, ValueIndex parameter, Register wanted) {
  const RegisterSet available = free_registers(parameter, 0);
  if (available != 0) {
    const bool wants_saved = liveness_.crosses_call(parameter) && (available & machine_.callee_saved) != 0;
    const bool is_good = wanted != kNoRegister && (available & set_of(wanted)) != 0 &&
                         (!wants_saved || (machine_.callee_saved & set_of(wanted)) != 0);
    return hold(hint_[parameter] == kNoRegister && is_good ? wanted : best_free(parameter, available), parameter);
  }
  if (block.is_cold) return;
  Register farthest = kNoRegister;
  uint32_t most = next_use_[parameter];
  for (RegisterSet rest = machine_.allocatable & class_set(parameter); rest != 0; rest &= rest - 1) {
    const auto reg = static_cast<Register>(std::countr_zero(rest));
    if (next_use_[held_[reg]] > most) most = next_use_[held_[reg]], farthest = reg;
  }
  if (farthest == kNoRegister) return;
  const ValueIndex value = held_[farthest];
  if (!code_.values[value].is_constant) slot_of(value), set_in_memory(value, true);
  release(farthest);
  hold(farthest, parameter);
}

/// The value had better be computed there; so its arguments, if it is a parameter of a block that is still to come.
void Allocator::hint(ValueIndex value, Register reg) {
  std::vector<ValueIndex> pending{value};
  while (!pending.empty()) {
    const ValueIndex next = pending.back();
    pending.pop_back();
    if (hint_[next] != kNoRegister || code_.values[next].is_constant) continue;
    hint_[next] = reg;
    const uint32_t number = parameter_number_[next];
    if (number == kNone) continue;
    const Block& block = code_.blocks[code_.values[next].block];
    for (uint32_t p = 0; p < block.predecessor_count; ++p) {
      const Edge& edge = code_.edges[code_.predecessors[block.first_predecessor + p]];
      if (is_done_[edge.from] == 0 && !code_.blocks[edge.from].is_cold) pending.push_back(code_.arguments[edge.first_argument + number]);
    }
  }
}

}  // namespace mangata::jit::quick
