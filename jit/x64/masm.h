// Instructions by meaning: what emitters say instead of naming those of the machine.
//
// [DESIGN] The files of jit/baseline emit by Masm alone, and are the same for every machine. A second machine has a folder beside this
// one, with another body for each operation here, and its own registers under the names of registers.h. Operations are thin on
// purpose: each is one instruction or two, so that what an emitter says is what is executed. Operands say how wide an operation is.
// tests/layers/check_layers.py sees that no emitter names an instruction or a register of the machine.
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

  /// `spare_bytes` and the start of another piece of code.
  void align_function(size_t spare_bytes) {
    for (size_t i = 0; i < spare_bytes && offset() != 0; ++i) a_.int3();
    a_.align(asmjit::AlignMode::kCode, 16);
  }

  // --- moves
  void move(const Gp& to, const Gp& from) { a_.mov(to, from); }
  void load(const Gp& to, const Mem& from) { a_.mov(to, from); }
  void load_unsigned(const Gp& to, const Mem& from) { a_.movzx(to, from); }  ///< what is shorter than 32 bits
  template <typename From>
  void sign_extend(const Gp& to, const From& from) { a_.movsxd(to, from); }  ///< of 32 bits
  void store(const Mem& to, const Gp& from) { a_.mov(to, from); }
  void store(const Mem& to, int32_t value) { a_.mov(to, value); }  ///< sign-extended
  /// The shortest way to have it there. Clobbers the flags.
  void load_immediate(const Gp& to, uint64_t value) {
    if (value == 0) {
      clear(to);
    } else if (value <= UINT32_MAX) {
      a_.mov(to.r32(), static_cast<uint32_t>(value));
    } else {
      a_.mov(to, value);
    }
  }
  /// Keeps the flags.
  template <typename Integer>
  void load_word(const Gp& to, Integer value) { a_.mov(to, value); }
  void load_address(const Gp& to, const Mem& of) { a_.lea(to, of); }
  void load_address(const Gp& to, const Label& of) { a_.lea(to, asmjit::x86::ptr(of)); }
  void clear(const Gp& reg) { a_.xor_(reg.r32(), reg.r32()); }
  /// By the comparison before.
  void move_if(Condition condition, const Gp& to, const Gp& from) { a_.cmov(code_of(condition), to, from); }
  void prefetch(const Mem& memory) { a_.prefetcht0(memory); }

  // --- the native stack
  template <typename From>
  void push(const From& from) { a_.push(from); }
  void pop(const Gp& to) { a_.pop(to); }
  void reserve_stack(int32_t bytes) { a_.sub(kStack, bytes); }
  void drop_stack(int32_t bytes) { a_.add(kStack, bytes); }

  // --- integers: of a register or memory and a register, memory or a constant
  template <typename To, typename From>
  void add(const To& to, const From& from) { a_.add(to, from); }
  template <typename To, typename From>
  void subtract(const To& to, const From& from) { a_.sub(to, from); }
  template <typename To, typename From>
  void and_(const To& to, const From& from) { a_.and_(to, from); }
  template <typename To, typename From>
  void or_(const To& to, const From& from) { a_.or_(to, from); }
  template <typename To, typename From>
  void xor_(const To& to, const From& from) { a_.xor_(to, from); }
  template <typename To>
  void increment(const To& to) { a_.inc(to); }
  template <typename To>
  void decrement(const To& to) { a_.dec(to); }
  void negate(const Gp& reg) { a_.neg(reg); }
  /// Clobbers the other one.
  void take_absolute(const Gp& reg, const Gp& negated) {
    a_.mov(negated, reg);
    a_.neg(negated);
    a_.cmovns(reg, negated);
  }
  void complement(const Gp& reg) { a_.not_(reg); }
  template <typename From>
  void multiply(const Gp& to, const From& from) { a_.imul(to, from); }
  template <typename From>
  void multiply(const Gp& to, const From& from, int32_t factor) { a_.imul(to, from, factor); }
  /// a2 := the upper half of t0 * a2, unsigned. Clobbers t0.
  void multiply_upper() { a_.mul(registers::a2); }
  /// t0 := t0 / divisor, a2 := the remainder.
  void divide_unsigned(const Gp& divisor) {
    clear(registers::a2);
    a_.div(divisor);
  }
  /// The same towards zero.
  void divide_signed(const Gp& divisor) {
    a_.cqo();
    a_.idiv(divisor);
  }
  void shift_left(const Gp& reg, int32_t count) { a_.shl(reg, count); }
  void shift_right(const Gp& reg, int32_t count) { a_.shr(reg, count); }
  void shift_right_signed(const Gp& reg, int32_t count) { a_.sar(reg, count); }
  // By the count in a3, modulo the width.
  void shift_left_by_count(const Gp& reg) { a_.shl(reg, low_byte(registers::a3)); }
  void shift_right_by_count(const Gp& reg) { a_.shr(reg, low_byte(registers::a3)); }
  void shift_right_signed_by_count(const Gp& reg) { a_.sar(reg, low_byte(registers::a3)); }
  void rotate_left_by_count(const Gp& reg) { a_.rol(reg, low_byte(registers::a3)); }
  void rotate_right_by_count(const Gp& reg) { a_.ror(reg, low_byte(registers::a3)); }
  void reverse_bytes(const Gp& reg) { a_.bswap(reg); }
  void flip_bit(const Gp& reg, int bit) { a_.btc(reg, bit); }
  void clear_bit(const Gp& reg, int bit) { a_.btr(reg, bit); }
  /// Of what is not zero.
  void count_trailing_zeros(const Gp& to, const Gp& from) { a_.tzcnt(to, from); }  // to processors without it the bytes are bsf

  // --- comparisons
  template <typename Left, typename Right>
  void compare(const Left& left, const Right& right) { a_.cmp(left, right); }
  void compare_with_zero(const Gp& value) { a_.test(value, value); }
  /// to := whether `left condition right`, as 0 or 1.
  void load_comparison(const Gp& to, const Mem& left, Condition condition, int32_t right) {
    clear(to);
    a_.cmp(left, right);
    a_.set(code_of(condition), low_byte(to));
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
  void clear_float(const Xmm& reg) { a_.xorps(reg, reg); }
  // The bits as they are, as many as the general register has.
  void move_bits(const Gp& to, const Xmm& from) { to.isGpq() ? a_.movq(to, from) : a_.movd(to, from); }
  void move_bits(const Xmm& to, const Gp& from) { a_.movq(to, from); }
  /// Clears the register first: the conversion keeps its upper half, and so would wait for whoever wrote it last.
  template <typename From>
  void convert_to_float(const Xmm& to, const From& integer) {
    a_.xorps(to, to);
    a_.cvtsi2sd(to, integer);
  }
  /// What does not fit becomes an integer that does not convert back.
  void truncate_float(const Gp& to, const Xmm& from) { a_.cvttsd2si(to, from); }
  /// What was truncated did not fit. Clobbers the flags.
  void branch_unless_fitting(const Gp& truncated, const Label& target) {
    a_.cmp(truncated, 1);
    a_.jo(target);
  }
  void add_floats(const Xmm& to, const Xmm& from) { a_.addsd(to, from); }
  void subtract_floats(const Xmm& to, const Xmm& from) { a_.subsd(to, from); }
  void multiply_floats(const Xmm& to, const Xmm& from) { a_.mulsd(to, from); }
  void divide_floats(const Xmm& to, const Xmm& from) { a_.divsd(to, from); }
  template <typename From>
  void square_root(const Xmm& to, const From& from) { a_.sqrtsd(to, from); }
  static bool has_rounding() { return asmjit::CpuInfo::host().features().x86().hasSSE4_1(); }
  enum class Rounding : uint8_t {
    Down = 1,
    Up = 2,
    TowardsZero = 3
  };
  /// Where has_rounding().
  template <typename From>
  void round_float(const Xmm& to, const From& from, Rounding rounding) {
    constexpr int kNoInexactException = 8;
    a_.roundsd(to, from, static_cast<int>(rounding) | kNoInexactException);
  }
  static bool has_fused_multiplication() { return asmjit::CpuInfo::host().features().x86().hasFMA(); }
  /// to := from - to * factor, rounded once. Where has_fused_multiplication().
  void subtract_product(const Xmm& to, const Xmm& factor, const Xmm& from) { a_.vfnmadd213sd(to, factor, from); }
  template <typename Right>
  void compare_floats(const Xmm& left, const Right& right) { a_.ucomisd(left, right); }
  /// to := whether `left > right`, as 0 or 1.
  void load_float_comparison(const Gp& to, const Xmm& left, const Xmm& right) {
    clear(to);
    a_.ucomisd(left, right);
    a_.seta(low_byte(to));
  }
  /// Jumps when `left > right`, or `left >= right`, is `expected`; with a NaN neither holds.
  void branch_if_greater(const Xmm& left, const Xmm& right, bool or_equal, bool expected, const Label& target) {
    using asmjit::x86::CondCode;
    a_.ucomisd(left, right);  // "above" is false for unordered operands
    a_.j(expected ? (or_equal ? CondCode::kAE : CondCode::kA) : (or_equal ? CondCode::kB : CondCode::kBE), target);
  }

  // --- control
  void jump(const Label& target) { a_.jmp(target); }
  void jump(const Gp& target) { a_.jmp(target); }
  void jump(const Mem& target) { a_.jmp(target); }
  void jump(const void* address) { a_.jmp(asmjit::imm(address_of(address))); }
  void call(const Label& target) { a_.call(target); }
  void call(const Gp& target) { a_.call(target); }
  void call(const Mem& target) { a_.call(target); }
  void call(const void* address) { a_.call(asmjit::imm(address_of(address))); }
  template <typename Result, typename... Arguments>
  void call(Result (*function)(Arguments...)) { call(reinterpret_cast<const void*>(function)); }
  /// By the comparison before.
  void branch(Condition condition, const Label& target) { a_.j(code_of(condition), target); }
  template <typename Value>
  void branch_if_zero(const Value& value, const Label& target) {
    a_.test(value, value);
    a_.jz(target);
  }
  template <typename Value>
  void branch_if_not_zero(const Value& value, const Label& target) {
    a_.test(value, value);
    a_.jnz(target);
  }
  void branch_if_negative(const Gp& value, const Label& target) {
    a_.test(value, value);
    a_.js(target);
  }
  /// One of the bits is set.
  template <typename Value>
  void branch_if_bits(const Value& value, int32_t bits, const Label& target) {
    a_.test(value, bits);
    a_.jnz(target);
  }
  template <typename Value>
  void branch_unless_bits(const Value& value, int32_t bits, const Label& target) {
    a_.test(value, bits);
    a_.jz(target);
  }
  /// Takes one off the counter of 32 bits, and jumps when that makes it negative.
  void count_down(const Mem& counter, const Label& at_end) {
    a_.sub(counter, 1);
    a_.js(at_end);
  }
  /// Adds one, and jumps when the counter is negative then.
  void count_up(const Mem& counter, const Label& when_negative) {
    a_.inc(counter);
    a_.js(when_negative);
  }
  /// Takes one off, and jumps when there was none.
  void take_one(const Gp& count, const Label& when_none) {
    a_.sub(count, 1);
    a_.jb(when_none);
  }
  void subtract_and_branch_if_not_zero(const Gp& reg, int32_t value, const Label& target) {
    a_.sub(reg, value);
    a_.jnz(target);
  }
  void or_and_branch_if_not_zero(const Gp& reg, const Mem& bits, const Label& target) {
    a_.or_(reg, bits);
    a_.jnz(target);
  }
  void shift_right_and_branch_if_not_zero(const Gp& reg, int32_t count, const Label& target) {
    a_.shr(reg, count);
    a_.jnz(target);
  }
  void return_to_caller() { a_.ret(); }
  /// Back to the caller, with the outcome in kOutcome; off with the word of the native frame.
  void return_from_function() {
    drop_stack(8);
    a_.ret();
  }
  // A stub tells its site whether it has found what it looked for, by a flag: the carry.
  void return_hit() {
    a_.clc();
    a_.ret();
  }
  void return_miss() {
    a_.stc();
    a_.ret();
  }
  /// Where the flag says so already: behind a stub that has hit, compare_with_zero and clear.
  void return_hit_as_is() { a_.ret(); }
  void branch_on_miss(const Label& target) { a_.jc(target); }
  /// a2 := a count of time. Clobbers t0.
  void load_clock() {
    a_.rdtsc();
    a_.shl(registers::a2, 32);
    a_.or_(registers::a2, registers::t0);
  }
  /// What is never reached.
  void trap() { a_.ud2(); }

 private:
  static asmjit::x86::CondCode code_of(Condition condition) { return static_cast<asmjit::x86::CondCode>(condition); }

  Assembler& a_;
};

}  // namespace mangata::jit
