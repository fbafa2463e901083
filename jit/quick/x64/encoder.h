// Encoding: instructions with registers become bytes.
//
// Blocks are laid out in their order; what is only a jump is not laid out, and who leads there leads to where it goes. Moves on an edge
// are at the end of the block in front, or, where that leads to several, between the two: behind the block, or behind all
// blocks where one of the two is cold.
#pragma once

#include <asmjit/x86.h>

#include <vector>

#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

/// Constants that instructions read from memory, behind all code.
class ConstantPool {
 public:
  explicit ConstantPool(asmjit::x86::Assembler& assembler) : a_(assembler) {}
  asmjit::x86::Mem of(uint64_t bits) { return at(bits, bits, 8); }
  /// Twice the same, aligned: for instructions that read 16 bytes.
  asmjit::x86::Mem pair_of(uint64_t bits) { return at(bits, bits, 16); }
  void emit();

 private:
  struct Entry {
    uint64_t bits;
    int bytes;
    asmjit::Label label;
  };
  asmjit::x86::Mem at(uint64_t bits, uint64_t second, int bytes);
  asmjit::x86::Assembler& a_;
  std::vector<Entry> entries_;
};

/// What profilers want of a function.
struct ForProfilers {
  bool has_frame_pointer = false;           ///< it was allocated for kMachineWithFramePointer
  std::vector<PlaceRow>* places = nullptr;  ///< rows are appended; null: nobody asks
};

class Encoder {
 public:
  Encoder(asmjit::x86::Assembler& assembler, ConstantPool& pool, const Selected& selected, const std::vector<asmjit::Label>& functions,
          const ForProfilers& for_profilers);
  void encode(const asmjit::Label& entry);

 private:
  using Gp = asmjit::x86::Gp;
  using Xmm = asmjit::x86::Xmm;
  using Mem = asmjit::x86::Mem;
  using AnyOperand = asmjit::Operand;

  // --- encode_blocks.cpp
  void lay_out_frame();
  void find_forwards();
  bool is_only_jump(BlockIndex index) const;
  void rotate_loops();
  void prologue();
  void epilogue();
  void block(BlockIndex index);
  void edge(const Edge& edge);
  void jump_to(BlockIndex target);
  void branch(const Block& block, const Instruction& in);
  void switch_on(const Block& block, const Instruction& in);
  asmjit::Label label_of(const Edge& edge);
  BlockIndex target_of(const Edge& edge) const { return forward_[edge.to]; }
  bool falls_through(const Edge& edge) const { return edge.move_count == 0 && target_of(edge) == next_; }
  bool is_warm(const Edge& edge) const { return !code_.blocks[edge.from].is_cold && !code_.blocks[edge.to].is_cold; }
  void store_definitions(const Instruction& in);
  void note_place(uint32_t place);
  const Instruction& last_instruction(const Block& block) const { return code_.instructions[block.first_instruction + block.instruction_count - 1]; }
  // --- encode_moves.cpp
  void move(const Move& move);
  void move_register(Register from, Register to);
  void load_constant(uint64_t bits, Register to);
  Mem slot(ValueIndex value) const;
  // --- encode_instructions.cpp
  void instruction(const Block& block, const Instruction& in);
  void integer(const Instruction& in);
  void add(const Instruction& in);
  void over_first(uint32_t id, const Instruction& in);
  void shift_by(uint32_t id, const Instruction& in);
  void shift(uint32_t id, const Instruction& in);
  void divide(const Instruction& in);
  void zero_extend(const Instruction& in);
  void sign_extend(const Instruction& in);
  void load(const Instruction& in);
  void store(const Instruction& in);
  void call(const Instruction& in);
  void leave();
  // --- encode_floats.cpp
  bool floating(const Instruction& in);
  void saturate(const Instruction& in);
  void float_binary(uint32_t id, const Instruction& in);
  // --- encode_conditions.cpp
  /// `at` is the first operand of the comparison.
  void compare(const Instruction& in, uint32_t at);
  void jump_on(uint8_t condition, const asmjit::Label& target);
  void set(const Instruction& in);
  void select(const Instruction& in);

  const Operand& operand(const Instruction& in, uint32_t number) const { return code_.operands[in.first_operand + number]; }
  const Operand& result(const Instruction& in) const;
  AnyOperand any(const Instruction& in, uint32_t number, int width) const;
  Mem memory(const Instruction& in, int width) const;
  static AnyOperand general(Register reg, int width);
  static Gp word(Register reg) { return asmjit::x86::gpq(reg); }
  static Gp half(Register reg) { return asmjit::x86::gpd(reg); }
  static Xmm xmm(Register reg) { return asmjit::x86::xmm(reg - 16u); }
  Gp word(const Instruction& in, uint32_t number) const { return word(operand(in, number).assigned); }
  Xmm xmm(const Instruction& in, uint32_t number) const { return xmm(operand(in, number).assigned); }

  asmjit::x86::Assembler& a_;
  ConstantPool& pool_;
  const Selected& selected_;
  const Code& code_;
  const std::vector<asmjit::Label>& functions_;
  const ForProfilers for_profilers_;
  std::vector<asmjit::Label> labels_;
  std::vector<BlockIndex> forward_;
  std::vector<BlockIndex> layout_;
  BlockIndex next_ = kNone;  ///< in the layout
  struct Split {
    uint32_t edge;
    asmjit::Label label;
  };
  std::vector<Split> splits_;
  std::vector<Register> saved_;
  uint32_t frame_bytes_ = 0;
  uint32_t area_at_ = 0;
};

}  // namespace mangata::jit::quick::x64
