#include "jit/quick/liveness/liveness.h"

#include <algorithm>
#include <bit>

namespace mangata::jit::quick {

Liveness::Liveness(Code& code)
    : code_(code),
      number_(code.values.size(), kNone),
      first_use_(code.values.size(), kNever),
      crosses_call_(code.values.size(), 0),
      hint_(code.values.size(), kNoRegister),
      next_use_(code.values.size(), kNever) {
  number_values();
  solve();
  find_uses_in_loops();
  measure();
}

/// Constants are made anew where they are needed, but those that a loop uses are worth a register around it.
void Liveness::number_values() {
  std::vector<BlockIndex> seen(code_.values.size(), kNone);
  const auto use = [&](ValueIndex value, BlockIndex block) {
    const Value& used = code_.values[value];
    if (used.block == block || seen[value] == block) return;
    if (used.is_constant && (code_.blocks[block].loop == kNone || code_.blocks[block].is_cold || used.kind == RegisterClass::Float)) return;
    seen[value] = block;
    if (number_[value] == kNone) {
      number_[value] = numbered_++;
      value_of_number_.push_back(value);
    }
    upward_exposed_.emplace_back(block, number_[value]);
  };
  for (BlockIndex index = 0; index < code_.blocks.size(); ++index) {
    const Block& block = code_.blocks[index];
    for (uint32_t i = 0; i < block.instruction_count; ++i) {
      const Instruction& in = code_.instructions[block.first_instruction + i];
      for (uint32_t o = 0; o < in.operand_count; ++o) {
        const Operand& operand = code_.operands[in.first_operand + o];
        if (is_use(operand.use)) use(operand.value, index);
      }
    }
    for (uint32_t e = 0; e < block.successor_count; ++e) {
      const Edge& edge = code_.edges[block.first_successor + e];
      for (uint32_t a = 0; a < edge.argument_count; ++a) use(code_.arguments[edge.first_argument + a], index);
    }
  }
}

/// live in = upward exposed, and what successors need and is not defined here. In a block without loops around one pass is enough.
void Liveness::solve() {
  words_ = (numbered_ + 63) / 64;
  const size_t blocks = code_.blocks.size();
  bits_in_.assign(blocks * words_, 0);
  for (const auto& [block, number] : upward_exposed_) bits_in_[block * words_ + number / 64] |= uint64_t{1} << (number % 64);
  std::vector<uint64_t> kept(blocks * words_, ~uint64_t{0});  // not defined in the block
  for (uint32_t number = 0; number < numbered_; ++number) {
    const BlockIndex block = code_.values[value_of_number_[number]].block;
    if (block != kNone) kept[block * words_ + number / 64] &= ~(uint64_t{1} << (number % 64));
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t index = blocks; index-- > 0;) {
      const Block& block = code_.blocks[index];
      uint64_t* in = bits_in_.data() + index * words_;
      for (uint32_t e = 0; e < block.successor_count; ++e) {
        const BlockIndex to = code_.edges[block.first_successor + e].to;
        const uint64_t* from = bits_in_.data() + to * words_;
        for (size_t w = 0; w < words_; ++w) {
          const uint64_t added = from[w] & kept[index * words_ + w] & ~in[w];
          in[w] |= added;
          changes |= added != 0;
        }
      }
    }
  }
}

void Liveness::find_uses_in_loops() {
  used_in_loop_.assign(code_.blocks.size() * words_, 0);
  for (const auto& [block, number] : upward_exposed_) {
    if (code_.blocks[block].is_cold) continue;
    for (BlockIndex head = code_.blocks[block].loop; head != kNone; head = code_.blocks[head].outer_loop) {
      used_in_loop_[head * words_ + number / 64] |= uint64_t{1} << (number % 64);
    }
  }
}

uint32_t Liveness::guessed_distance(BlockIndex head, uint32_t number) const {
  constexpr uint32_t kSoon = 64;
  if (code_.blocks[head].loop != head) return kSoon;
  return has(&used_in_loop_[head * words_], number) ? kSoon : kFar;
}

uint32_t Liveness::distance(BlockIndex block, ValueIndex value) const {
  const uint64_t* bits = &bits_in_[block * words_];
  const uint32_t number = number_[value];
  uint32_t place = 0;
  for (uint32_t w = 0; w < number / 64; ++w) place += static_cast<uint32_t>(std::popcount(bits[w]));
  place += static_cast<uint32_t>(std::popcount(bits[number / 64] & ((uint64_t{1} << (number % 64)) - 1)));
  return live_in_[first_live_in_[block] + place].distance;
}

void Liveness::measure() {
  const size_t blocks = code_.blocks.size();
  first_live_in_.assign(blocks, 0);
  live_in_count_.assign(blocks, 0);
  is_measured_.assign(blocks, 0);
  pressure_.assign(blocks * 2, 0);
  for (size_t index = blocks; index-- > 0;) measure_block(static_cast<BlockIndex>(index));
  for (BlockIndex head = 0; head < blocks; ++head) {  // without those that are only live through
    if (code_.blocks[head].loop != head) continue;
    for (const LiveValue& live : live_in(head)) {
      if (has(&used_in_loop_[head * words_], number_[live.value])) continue;
      uint32_t& pressure = pressure_[head * 2 + static_cast<size_t>(code_.values[live.value].kind)];
      if (pressure > 0) --pressure;
    }
  }
}

void Liveness::become_live(ValueIndex value) {
  live_.push_back(value);
  const auto kind = static_cast<size_t>(code_.values[value].kind);
  most_live_[kind] = std::max(most_live_[kind], ++live_count_[kind]);
}

void Liveness::begin_at_end(BlockIndex index) {
  const Block& block = code_.blocks[index];
  const uint32_t end = block.instruction_count;
  const auto see = [&](ValueIndex value, uint32_t distance) {
    if (next_use_[value] == kNever) become_live(value);
    next_use_[value] = std::min(next_use_[value], distance);
  };
  for (uint32_t e = 0; e < block.successor_count; ++e) {
    const Edge& edge = code_.edges[block.first_successor + e];
    const Block& to = code_.blocks[edge.to];
    const uint32_t penalty = (to.is_cold && !block.is_cold) || to.loop_depth < block.loop_depth ? kFar : 0;
    if (is_measured_[edge.to]) {
      for (const LiveValue& live : live_in(edge.to)) see(live.value, std::min(kFarthest, end + penalty + live.distance));
    } else {
      for (size_t w = 0; w < words_; ++w) {
        for (uint64_t rest = bits_in_[edge.to * words_ + w]; rest != 0; rest &= rest - 1) {
          const auto number = static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(rest));
          see(value_of_number_[number], end + penalty + guessed_distance(edge.to, number));
        }
      }
    }
    for (uint32_t a = 0; a < edge.argument_count; ++a) see(code_.arguments[edge.first_argument + a], end);
  }
}

void Liveness::see_instruction(const Block& block, uint32_t position) {
  const Instruction& in = code_.instructions[block.first_instruction + position];
  Operand* operands = code_.operands.data() + in.first_operand;
  for (uint32_t o = 0; o < in.operand_count; ++o) {
    if (operands[o].use != Use::Temporary) operands[o].next_use = next_use_[operands[o].value];
  }
  for (uint32_t o = 0; o < in.operand_count; ++o) {
    if (!is_definition(operands[o].use)) continue;
    const ValueIndex value = operands[o].value;
    if (operands[o].use == Use::DefineAsFirst && hint_[operands[0].value] == kNoRegister) hint_[operands[0].value] = hint_[value];
    if (next_use_[value] == kNever) continue;
    next_use_[value] = kNever;
    --live_count_[static_cast<size_t>(code_.values[value].kind)];
  }
  if (in.is_call && !block.is_cold) {
    for (const ValueIndex value : live_) crosses_call_[value] |= next_use_[value] != kNever ? 1 : 0;
  }
  for (uint32_t o = 0; o < in.operand_count; ++o) {
    if (!is_use(operands[o].use)) continue;
    const ValueIndex value = operands[o].value;
    if (operands[o].use == Use::Fixed && !block.is_cold && hint_[value] == kNoRegister) hint_[value] = operands[o].fixed;
    if (next_use_[value] == kNever) become_live(value);
    next_use_[value] = position;
  }
}

void Liveness::finish_at_start(BlockIndex index) {
  const Block& block = code_.blocks[index];
  for (uint32_t p = 0; p < block.parameter_count; ++p) {
    const ValueIndex parameter = code_.parameters[block.first_parameter + p];
    first_use_[parameter] = next_use_[parameter];
    next_use_[parameter] = kNever;
  }
  first_live_in_[index] = static_cast<uint32_t>(live_in_.size());
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t rest = bits_in_[index * words_ + w]; rest != 0; rest &= rest - 1) {
      const ValueIndex value = value_of_number_[w * 64 + static_cast<size_t>(std::countr_zero(rest))];
      live_in_.push_back({value, next_use_[value]});
    }
  }
  for (const ValueIndex value : live_) next_use_[value] = kNever;
  live_in_count_[index] = static_cast<uint32_t>(live_in_.size()) - first_live_in_[index];
  is_measured_[index] = 1;
  if (block.is_cold) return;
  for (BlockIndex head = block.loop; head != kNone; head = code_.blocks[head].outer_loop) {
    for (size_t kind = 0; kind < 2; ++kind) pressure_[head * 2 + kind] = std::max(pressure_[head * 2 + kind], most_live_[kind]);
  }
}

void Liveness::measure_block(BlockIndex index) {
  live_.clear();
  for (size_t kind = 0; kind < 2; ++kind) live_count_[kind] = most_live_[kind] = 0;
  begin_at_end(index);
  for (uint32_t position = code_.blocks[index].instruction_count; position-- > 0;) see_instruction(code_.blocks[index], position);
  finish_at_start(index);
}

}  // namespace mangata::jit::quick
