// Instructions by meaning: what emitters say instead of naming those of the machine.
//
// [DESIGN] A file that emits by Masm alone is the same for every machine; one that says `using namespace asmjit::x86` is for this one. A
// second machine gives the operations here another body. They are thin on purpose: each is one or two instructions, so that what an
// emitter says is what is executed. tests/layers/check_layers.py sees that no file does both unawares.
#pragma once

#include <cstdint>

#include "jit/x64/registers.h"

namespace mangata::jit {

class Masm {
 public:
  explicit Masm(Assembler& assembler) : a_(assembler) {}

  Label new_label() { return a_.newLabel(); }
  /// Here, and only once.
  void bind(const Label& label) { a_.bind(label); }
  uint32_t offset() const { return static_cast<uint32_t>(a_.offset()); }

  // --- moves
  void move(const Gp& to, const Gp& from) { a_.mov(to, from); }
  void load(const Gp& to, const Mem& from) { a_.mov(to, from); }
  void store(const Mem& to, const Gp& from) { a_.mov(to, from); }
  void store(const Mem& to, int32_t value) { a_.mov(to, value); }  ///< sign-extended
  /// The shortest way to have it there. Clobbers the flags.
  void load_immediate(const Gp& to, uint64_t value) {
    if (value == 0) {
      a_.xor_(to.r32(), to.r32());
    } else if (value <= UINT32_MAX) {
      a_.mov(to.r32(), static_cast<uint32_t>(value));
    } else {
      a_.mov(to, value);
    }
  }
  /// A whole word, whatever the value, as where flags are to be kept.
  void load_word(const Gp& to, uint64_t value) { a_.mov(to, value); }

  // --- integers
  void add(const Gp& to, int32_t value) { a_.add(to, value); }
  void increment(const Gp& to) { a_.inc(to.r32()); }  ///< of 32 bits
  void compare(const Gp& left, const Gp& right) { a_.cmp(left, right); }
  void compare(const Gp& left, const Mem& right) { a_.cmp(left, right); }
  void compare(const Mem& left, const Gp& right) { a_.cmp(left, right); }
  void compare(const Gp& left, int32_t right) { a_.cmp(left, right); }
  void compare(const Mem& left, int32_t right) { a_.cmp(left, right); }
  void compare_with_zero(const Gp& value) { a_.test(value, value); }
  /// to := whether `left condition right`, as 0 or 1.
  void load_comparison(const Gp& to, const Mem& left, Condition condition, int32_t right) {
    a_.xor_(to.r32(), to.r32());
    a_.cmp(left, right);
    a_.set(static_cast<asmjit::x86::CondCode>(condition), to.r8());
  }

  // --- floats
  void load_float(const Xmm& to, const Mem& from) { a_.movsd(to, from); }
  void store_float(const Mem& to, const Xmm& from) { a_.movsd(to, from); }
  void move_float(const Xmm& to, const Xmm& from) { a_.movaps(to, from); }
  /// Clobbers kTemporary.
  void load_float_bits(const Xmm& to, uint64_t bits) {
    if (bits == 0) return a_.xorps(to, to), void();
    a_.mov(kTemporary, bits);
    a_.movq(to, kTemporary);
  }
  /// Clears the register first: the conversion keeps its upper half, and so would wait for whoever wrote it last.
  void convert_to_float(const Xmm& to, const Mem& integer) {
    a_.xorps(to, to);
    a_.cvtsi2sd(to, integer);
  }
  /// Jumps when `left > right`, or `left >= right`, is `expected`; with a NaN neither holds.
  void branch_if_greater(const Xmm& left, const Xmm& right, bool or_equal, bool expected, const Label& target) {
    using asmjit::x86::CondCode;
    a_.ucomisd(left, right);  // "above" is false for unordered operands
    a_.j(expected ? (or_equal ? CondCode::kAE : CondCode::kA) : (or_equal ? CondCode::kB : CondCode::kBE), target);
  }

  // --- control
  void jump(const Label& target) { a_.jmp(target); }
  void jump(const void* address) { a_.jmp(asmjit::imm(address_of(address))); }
  void call(const void* address) { a_.call(asmjit::imm(address_of(address))); }
  /// By the comparison before.
  void branch(Condition condition, const Label& target) { a_.j(static_cast<asmjit::x86::CondCode>(condition), target); }
  void branch_if_negative(const Gp& value, const Label& target) {
    a_.test(value, value);
    a_.js(target);
  }
  void branch_if_not_zero(const Gp& value, const Label& target) {
    a_.test(value, value);
    a_.jnz(target);
  }
  /// Takes one off the counter of 32 bits, and jumps when that makes it negative.
  void count_down(const Mem& counter, const Label& at_end) {
    a_.sub(counter, 1);
    a_.js(at_end);
  }
  /// Back to the caller, with the outcome in kOutcome; off with the word of the native frame.
  void return_from_function() {
    a_.add(asmjit::x86::rsp, 8);
    a_.ret();
  }
  /// What is never reached.
  void trap() { a_.ud2(); }

 private:
  Assembler& a_;
};

}  // namespace mangata::jit
