// Which registers hold numbers of a known subtype, at each instruction of a function.
//
// [DESIGN] A forward data-flow analysis over the bytecode. What it *knows* holds in every tier, because it
// follows from what the instructions mean and from nothing else: constants, loops with integer start and
// step, operators on known numbers (whose results no metamethod can change). So it holds wherever a frame may
// be resumed, also one that the interpreter has run so far, and also in code that no compiler of ours has
// written. Registers that may change behind the back of the instructions have no known type: those that
// closures capture, those from which a callee's frame begins, and those that a collection may clear. The last
// such way is debug.setlocal: it bars the thread from compiled code (Thread::hook_mask, kLocalsChanged).
//
// Known types leave out checks and stores of tags. What is merely *likely* decides which case of an
// instruction comes first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata::jit {

enum class NumberKind : uint8_t {
  Unknown,
  Integer,
  Float
};

class KnownTypes {
 public:
  /// Analyses one version of the code of `proto`: the instructions from `first_pc` to `end_pc`, of which the first has just been
  /// reached.
  KnownTypes(const Proto& proto, const Instruction* code, int code_length, CodePc first_pc, CodePc end_pc);

  /// Goes to instruction `pc`, from the one before.
  void move_to(CodePc pc);

  bool begins_block(CodePc pc) const { return block_at(value_of(pc)) >= 0; }

  /// Of a register, before the instruction.
  NumberKind kind(Register reg) const { return of_bits(current_[static_cast<size_t>(reg)] & 3); }
  NumberKind likely_kind(Register reg) const { return of_bits(current_[static_cast<size_t>(reg)] >> 2); }

 private:
  // Two bits for what is known and two for what is likely; joining two paths is "or". Known: 0 no path yet,
  // kInteger, kFloat, both: anything. Likely: 0 no idea, kInteger, kFloat, both: either.
  using Fact = uint8_t;
  static constexpr Fact kInteger = 1, kFloat = 2, kAnything = 3;
  using State = std::array<Fact, 256>;

  static NumberKind of_bits(int bits) {
    return bits == kInteger ? NumberKind::Integer : bits == kFloat ? NumberKind::Float
                                                                   : NumberKind::Unknown;
  }
  static constexpr Fact fact(int known, int likely) { return static_cast<Fact>(known | likely << 2); }
  static constexpr Fact certain(int kind) { return fact(kind, kind); }
  static Fact of_constant(const Value& value);

  void find_blocks();
  void find_captured_registers();
  void analyse();
  bool is_inside(int pc) const { return pc >= first_pc_ && pc < end_pc_; }
  /// That begins at `pc`, or -1.
  int32_t block_at(int pc) const { return block_of_[static_cast<size_t>(pc - first_pc_)]; }
  std::vector<int32_t> blocks_in_order() const;
  void flow_through(int32_t block);
  void know_nothing();
  int jump_of(int pc) const;
  bool falls_through(int pc) const;
  /// The state behind the instruction, where it falls through; when it jumps: on the way there.
  void transfer(State& state, int pc, bool jumps) const;
  void transfer_loop(State& state, const Instruction& in, bool jumps) const;
  void set(State& state, Register reg, Fact value) const;
  void forget_from(State& state, Register first) const;
  Fact operand(const State& state, const Instruction& in) const;
  static Fact arithmetic(Opcode op, Fact left, Fact right);
  /// Joins `state` into that of the block at `pc`.
  void flow_into(const State& state, int pc);

  const Proto& proto_;
  const Instruction* code_;
  int code_length_, first_pc_, end_pc_;
  std::vector<int> entered_;       ///< where it is reached from outside, with values of any type
  std::array<bool, 256> captured_{};
  std::vector<int32_t> block_of_;  ///< per pc from first_pc_ on: the block that begins there, or -1
  std::vector<int32_t> starts_;    ///< per block: its first pc; and the end of the code
  std::vector<State> entry_states_;
  std::vector<bool> changed_;      ///< per block: its state since it was looked at
  State current_{};
  int pc_ = -1;
};

}  // namespace mangata::jit
