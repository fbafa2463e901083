// What a block ends with, and what has to move from there to where others begin.
#include <algorithm>
#include <bit>

#include "jit/quick/allocation/allocation.h"
#include "jit/quick/allocation/allocator.h"
#include "jit/quick/allocation/parallel_moves.h"

namespace mangata::jit::quick {

Allocator::Allocator(Code& code, const Liveness& liveness, const Machine& machine)
    : code_(code),
      liveness_(liveness),
      machine_(machine),
      register_of_(code.values.size(), kNoRegister),
      local_in_memory_(code.values.size(), 0),
      next_use_(code.values.size(), kNever),
      hint_(code.values.size(), kNoRegister),
      parameter_number_(code.values.size(), kNone),
      is_done_(code.blocks.size(), 0),
      starts_(code.blocks.size()),
      ends_(code.blocks.size()),
      words_((liveness.numbered() + 63) / 64),
      argument_locations_(code.arguments.size()) {
  code.parameter_registers.assign(code.parameters.size(), kNoRegister);
  memory_.assign(words_, 0);
  start_memory_.assign(code.blocks.size() * words_, 0);
  end_memory_.assign(code.blocks.size() * words_, 0);
  for (const Block& block : code.blocks) {
    for (uint32_t p = 0; p < block.parameter_count; ++p) parameter_number_[code.parameters[block.first_parameter + p]] = p;
  }
}

void Allocator::run() {
  for (BlockIndex index = 0; index < code_.blocks.size(); ++index) {
    begin_block(index);
    const Block& block = code_.blocks[index];
    for (uint32_t i = 0; i < block.instruction_count; ++i) allocate_instruction(block.first_instruction + i);
    end_block(index);
  }
  resolve_edges();
}

void Allocator::end_block(BlockIndex index) {
  const Block& block = code_.blocks[index];
  ends_[index] = held_;
  std::copy(memory_.begin(), memory_.end(), end_memory_.begin() + static_cast<ptrdiff_t>(index * words_));
  for (uint32_t e = 0; e < block.successor_count; ++e) {
    const Edge& edge = code_.edges[block.first_successor + e];
    const Block& to = code_.blocks[edge.to];
    for (uint32_t a = 0; a < edge.argument_count; ++a) {
      const Location location = location_of(code_.arguments[edge.first_argument + a]);
      argument_locations_[edge.first_argument + a] = location;
      if (is_done_[edge.to] == 0 && !to.is_cold && to.loop != edge.to && location.kind == Location::Kind::Register) {
        hint(code_.parameters[to.first_parameter + a], location.reg);
      }
    }
  }
  for (Register reg = 0; reg < kRegisters; ++reg) release(reg);
  is_done_[index] = 1;
}

void Allocator::resolve_edges() {
  for (Edge& edge : code_.edges) {
    edge.first_move = static_cast<uint32_t>(code_.edge_moves.size());
    if (code_.blocks[edge.to].predecessor_count > 1 || edge.argument_count != 0) resolve_edge(edge);
    edge.move_count = static_cast<uint32_t>(code_.edge_moves.size()) - edge.first_move;
  }
}

void Allocator::resolve_edge(Edge& edge) {
  for (Register reg = 0; reg < kRegisters; ++reg) {
    if (ends_[edge.from][reg] != kNone) register_of_[ends_[edge.from][reg]] = reg;
  }
  const Held& start = starts_[edge.to];
  std::vector<Move>& wanted = wanted_moves_;
  wanted.clear();
  for (Register reg = 0; reg < kRegisters; ++reg) {
    const ValueIndex value = start[reg];
    if (value == kNone || liveness_.number(value) == kNone || !liveness_.is_live_in(edge.to, value)) continue;
    const Location from = location_of(value);
    if (from.kind == Location::Kind::Register && from.reg == reg) continue;
    wanted.push_back({0, from, in_register(reg), false});
    code_.used_registers |= set_of(reg);
  }
  const std::span<const uint64_t> live = liveness_.live_bits(edge.to);
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t rest = live[w] & start_memory_[edge.to * words_ + w] & ~end_memory_[edge.from * words_ + w]; rest != 0; rest &= rest - 1) {
      const ValueIndex value = liveness_.value_of(static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(rest)));
      if (code_.values[value].is_constant || code_.values[value].spills_at_definition) continue;
      wanted.push_back({0, in_register(register_of_[value]), in_slot(value), false});
    }
  }
  const Block& to = code_.blocks[edge.to];
  for (uint32_t a = 0; a < edge.argument_count; ++a) {
    const ValueIndex parameter = code_.parameters[to.first_parameter + a];
    if (liveness_.first_use(parameter) == kNever) continue;
    const Register reg = code_.parameter_registers[to.first_parameter + a];
    const Location destination = reg != kNoRegister ? in_register(reg) : in_slot(parameter);
    const Location from = argument_locations_[edge.first_argument + a];
    if (!(from == destination)) wanted.push_back({0, from, destination, false});
  }
  for (Register reg = 0; reg < kRegisters; ++reg) {
    if (ends_[edge.from][reg] != kNone) register_of_[ends_[edge.from][reg]] = kNoRegister;
  }
  sequence_moves(code_, wanted, &code_.edge_moves);
}

void allocate_registers(Code& code, const Liveness& liveness, const Machine& machine) { Allocator(code, liveness, machine).run(); }

}  // namespace mangata::jit::quick
