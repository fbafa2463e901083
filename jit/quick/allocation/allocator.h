// The state of register allocation between two instructions, and the steps. Read first: allocation.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "jit/quick/code/code.h"
#include "jit/quick/liveness/liveness.h"

namespace mangata::jit::quick {

class Allocator {
 public:
  Allocator(Code& code, const Liveness& liveness, const Machine& machine);
  void run();

 private:
  using Held = std::array<ValueIndex, kRegisters>;  ///< by register: what is in it

  // --- block_starts.cpp
  void begin_block(BlockIndex index);
  void begin_in_memory(BlockIndex index);
  uint32_t warmest_predecessor(const Block& block) const;
  void take_over(BlockIndex index, BlockIndex from);
  void begin_loop(BlockIndex index);
  void drop_unused(BlockIndex head, RegisterClass kind);
  void load_used(BlockIndex head, RegisterClass kind);
  void place_parameters(const Block& block, uint32_t primary_edge);
  void place_parameter(const Block& block, ValueIndex parameter, Register wanted);
  void hint(ValueIndex value, Register reg);
  // --- edges.cpp
  void end_block(BlockIndex index);
  void resolve_edges();
  void resolve_edge(Edge& edge);
  // --- instructions.cpp
  void allocate_instruction(uint32_t index);
  void swap_operands(const Instruction& in, Operand* operands);
  void look_at_operands(std::span<Operand> operands);
  void vacate_fixed(std::span<Operand> operands);
  void place_fixed_uses(const Instruction& in, std::span<Operand> operands);
  void place_uses(std::span<Operand> operands);
  void place_use(Operand& operand);
  void place_temporaries(std::span<Operand> operands);
  void release_dead(std::span<Operand> operands);
  void save_from_call(RegisterSet kept);
  void place_definitions(std::span<Operand> operands);
  void place_as_first(std::span<Operand> operands, Operand& result);
  void define(Operand& operand, Register reg);
  // --- registers.cpp
  RegisterSet class_set(ValueIndex value) const {
    return code_.values[value].kind == RegisterClass::General ? kGeneralRegisters : kFloatRegisters;
  }
  RegisterSet free_registers(ValueIndex value, RegisterSet forbidden) const;
  /// A free one, or one that is emptied; kNoRegister: all are forbidden.
  Register take_register(ValueIndex value, RegisterSet forbidden);
  Register best_free(ValueIndex value, RegisterSet available) const;
  void hold(Register reg, ValueIndex value);
  void release(Register reg);
  void ensure_in_memory(ValueIndex value);
  void evict(Register reg);
  /// The value in it moves elsewhere: to a free register, or to memory.
  void vacate(Register reg, RegisterSet forbidden);
  void load(ValueIndex value, Register reg);
  void move(Location from, Location to);
  bool is_in_memory(ValueIndex value) const {
    if (code_.values[value].spills_at_definition) return true;
    const uint32_t number = liveness_.number(value);
    return number == kNone ? local_in_memory_[value] != 0 : (memory_[number / 64] >> (number % 64) & 1) != 0;
  }
  void set_in_memory(ValueIndex value, bool is_there);
  Location location_of(ValueIndex value) const;
  uint32_t slot_of(ValueIndex value);

  Code& code_;
  const Liveness& liveness_;
  const Machine& machine_;

  // now
  BlockIndex block_ = 0;
  uint32_t at_ = 0;  ///< the instruction
  Held held_;
  RegisterSet occupied_ = 0;
  std::vector<Register> register_of_;
  std::vector<uint64_t> memory_;          ///< which numbered values are in their slots
  std::vector<uint8_t> local_in_memory_;  ///< the same of others
  std::vector<uint32_t> next_use_;  ///< of what is in registers
  // of one instruction
  RegisterSet wanted_ = 0;    ///< what its operands are in
  RegisterSet reserved_ = 0;  ///< fixed ones
  RegisterSet late_ = 0;      ///< no result may be there

  std::vector<Register> hint_;
  std::vector<uint32_t> parameter_number_;  ///< in its block
  std::vector<uint8_t> is_done_;
  std::vector<Held> starts_, ends_;
  std::vector<uint64_t> start_memory_, end_memory_;  ///< by block, as memory_
  size_t words_ = 0;
  std::vector<Location> argument_locations_;
  std::vector<Move> wanted_moves_;          ///< of one edge
  std::vector<uint64_t> not_in_registers_;  ///< at the start of one block
};

}  // namespace mangata::jit::quick
