// Liveness: which values are needed at the start of each block, how soon, and how many there are at once.
//
// Sets of bits for the values that more than one block sees, to a fixed point; then one backward pass over all operands, which notes
// for each where its value is needed next. Distances are in instructions from the start of a block; what only cold code
// needs is far away. Linear in the code, apart from the sets: blocks times values that cross blocks, by 64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jit/quick/code/code.h"

namespace mangata::jit::quick {

inline constexpr uint32_t kNever = ~uint32_t{0};
/// As far as this, or farther: not in the loop, or only in code that is cold.
inline constexpr uint32_t kFar = 1 << 20;
inline constexpr uint32_t kFarthest = 1 << 30;

struct LiveValue {
  ValueIndex value = kNone;
  uint32_t distance = 0;  ///< of its next use, from the start of the block
};

class Liveness {
 public:
  /// Completes Operand::next_use.
  explicit Liveness(Code& code);

  /// What is needed at the start of the block, in the order of numbers. Its parameters are not among them.
  std::span<const LiveValue> live_in(BlockIndex block) const {
    return std::span(live_in_).subspan(first_live_in_[block], live_in_count_[block]);
  }
  /// Of a value that is live at the start of the block. By its place among the bits before its own.
  uint32_t distance(BlockIndex block, ValueIndex value) const;
  /// The values that are live at the start of the block, by their numbers.
  std::span<const uint64_t> live_bits(BlockIndex block) const { return std::span(bits_in_).subspan(size_t{block} * words_, words_); }
  /// Of a parameter, where it is needed first; kNever: nowhere.
  uint32_t first_use(ValueIndex parameter) const { return first_use_[parameter]; }
  bool is_live_in(BlockIndex block, ValueIndex value) const {
    return number_[value] != kNone && has(&bits_in_[size_t{block} * words_], number_[value]);
  }
  /// Dense numbers of the values that cross blocks; kNone: it stays in its own.
  uint32_t number(ValueIndex value) const { return number_[value]; }
  ValueIndex value_of(uint32_t number) const { return value_of_number_[number]; }
  uint32_t numbered() const { return numbered_; }
  /// Whether a call that is not cold happens while the value is live.
  bool crosses_call(ValueIndex value) const { return crosses_call_[value]; }
  /// Of a register class, how many values are live at once somewhere in the loop's warm code, without those that the loop does not touch.
  uint32_t pressure(BlockIndex head, RegisterClass kind) const { return pressure_[size_t{head} * 2 + static_cast<size_t>(kind)]; }
  /// A register that its user wants, or kNoRegister.
  Register hint(ValueIndex value) const { return hint_[value]; }

 private:
  static bool has(const uint64_t* set, uint32_t number) { return (set[number / 64] >> (number % 64) & 1) != 0; }
  void number_values();
  void find_uses_in_loops();
  void solve();
  void measure();
  void measure_block(BlockIndex block);
  void begin_at_end(BlockIndex block);
  void see_instruction(const Block& block, uint32_t position);
  void finish_at_start(BlockIndex block);
  void become_live(ValueIndex value);
  uint32_t guessed_distance(BlockIndex head, uint32_t number) const;

  Code& code_;
  std::vector<uint32_t> number_;
  std::vector<ValueIndex> value_of_number_;
  uint32_t numbered_ = 0;
  size_t words_ = 0;
  std::vector<std::pair<BlockIndex, uint32_t>> upward_exposed_;
  std::vector<uint64_t> bits_in_;       ///< by block
  std::vector<uint64_t> used_in_loop_;  ///< by head of a loop: what its warm code uses
  std::vector<LiveValue> live_in_;
  std::vector<uint32_t> first_live_in_;
  std::vector<uint32_t> live_in_count_;
  std::vector<uint8_t> is_measured_;
  std::vector<uint32_t> first_use_;
  std::vector<uint8_t> crosses_call_;
  std::vector<Register> hint_;
  std::vector<uint32_t> pressure_;
  // of the block that is being measured
  std::vector<uint32_t> next_use_;
  std::vector<ValueIndex> live_;  ///< all that were live since its end
  uint32_t live_count_[2] = {};
  uint32_t most_live_[2] = {};
  uint32_t calls_from_ = 0;
};

}  // namespace mangata::jit::quick
