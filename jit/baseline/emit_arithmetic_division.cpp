// Floor division and modulo (manual §3.4.1). Both round towards minus infinity.
#include <bit>
#include <cmath>

#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"
#include "jit/ir/division_by_constant.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// rax := left // divisor or left % divisor, without a division instruction. divisor > 0.
void BaselineCompiler::emit_division_by_constant(const Operand& to, const Operand& left, int64_t divisor,
                                                 bool remainder) {
  const auto unsigned_divisor = static_cast<uint64_t>(divisor);
  load_integer(rax, left);
  if (std::has_single_bit(unsigned_divisor)) {
    const int shift = std::countr_zero(unsigned_divisor);
    if (!remainder) {
      if (shift != 0) a_.sar(rax, shift);
    } else if (shift < 32) {
      a_.and_(eax, static_cast<int32_t>(unsigned_divisor - 1));
    } else {
      load_immediate(rcx, unsigned_divisor - 1);
      a_.and_(rax, rcx);
    }
    return store_integer(to, rax);
  }
  const DivisionByConstant division = division_by_constant(unsigned_divisor);
  a_.mov(rcx, rax);
  a_.sar(rcx, 63);
  a_.mov(r8, rax);
  a_.xor_(rax, rcx);
  load_immediate(rdx, division.multiplier);
  a_.mul(rdx);
  a_.shr(rdx, division.shift);
  a_.xor_(rdx, rcx);
  if (!remainder) return store_integer(to, rdx);
  if (divisor <= INT32_MAX) {
    a_.imul(rdx, rdx, static_cast<int32_t>(divisor));
  } else {
    load_immediate(rax, unsigned_divisor);
    a_.imul(rdx, rax);
  }
  a_.sub(r8, rdx);
  store_integer(to, r8);
}

/// By a positive divisor; for others `slow` knows errors and overflow.
void BaselineCompiler::emit_integer_division(const Operand& to, const Operand& left, const Operand& right,
                                             bool remainder, const Label& slow) {
  if (right.is_constant()) {
    const auto divisor = static_cast<int64_t>(right.payload);
    if (divisor > 0) return emit_division_by_constant(to, left, divisor, remainder);
    a_.jmp(slow);
    return;
  }
  a_.mov(rcx, payload_of(right.reg));
  a_.test(rcx, rcx);
  a_.jle(slow);
  load_integer(rax, left);
  a_.cqo();
  a_.idiv(rcx);
  if (remainder) {
    a_.mov(rax, rdx);
    a_.sar(rdx, 63);
    a_.and_(rdx, rcx);
  } else {
    a_.sar(rdx, 63);  // the quotient was rounded up where the remainder is negative
  }
  a_.add(rax, rdx);
  store_integer(to, rax);
}

/// xmm0 := xmm0 % xmm1, as charged_float_modulo() does it, for operands without a sign and a quotient that is less
/// than 2^53.
void BaselineCompiler::emit_float_modulo(const Operand& right) {
  constexpr int kTruncates = 3, kNoInexactException = 8;
  if (!asmjit::CpuInfo::host().features().x86().hasFMA()) {
    a_.mov(rdi, kVm);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(charged_float_modulo)));
    return;
  }
  const Label done = a_.newLabel();
  const Label by_call = slow_path([this, done] {
    a_.mov(rdi, kVm);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(charged_float_modulo)));
    a_.jmp(done);
  });
  const Label is_negative = slow_path([this, by_call, done] {
    a_.jp(by_call);  // an infinite divisor
    a_.addsd(xmm2, xmm1);
    a_.movaps(xmm0, xmm2);
    a_.jmp(done);
  });
  a_.movq(rax, xmm0);
  if (!right.is_constant() || std::signbit(right.as_double())) {
    a_.movq(rcx, xmm1);
    a_.or_(rax, rcx);
  }
  a_.test(rax, rax);
  a_.js(by_call);
  a_.movaps(xmm2, xmm0);
  a_.divsd(xmm2, xmm1);
  a_.cvttsd2si(rax, xmm2);
  a_.shr(rax, 53);
  a_.jnz(by_call);
  a_.roundsd(xmm2, xmm2, kTruncates | kNoInexactException);
  a_.vfnmadd213sd(xmm2, xmm1, xmm0);
  a_.xorps(xmm3, xmm3);
  a_.ucomisd(xmm2, xmm3);
  a_.jb(is_negative);
  a_.movaps(xmm0, xmm2);
  a_.bind(done);
}

void BaselineCompiler::emit_division(const Instruction& in, bool remainder) {
  const Operand left = left_operand(in), right = right_operand(in);
  const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
  const bool has_rounding = asmjit::CpuInfo::host().features().x86().hasSSE4_1();
  emit_number_cases(
      in, left, right,
      {.integers = [this, left, right, remainder,
                    slow](const Operand& to) { emit_integer_division(to, left, right, remainder, slow); },
       .floats =
           [this, right, remainder, has_rounding] {
             if (remainder) {
               emit_float_modulo(right);
             } else if (has_rounding) {
               constexpr int kTowardsMinusInfinity = 1, kNoInexactException = 8;
               a_.divsd(xmm0, xmm1);
               a_.roundsd(xmm0, xmm0, kTowardsMinusInfinity | kNoInexactException);
             } else {
               a_.call(asmjit::imm(reinterpret_cast<uint64_t>(floor_divide)));
             }
           }});
}

void BaselineCompiler::emit_FloorDiv(const Instruction& in) { emit_division(in, false); }
void BaselineCompiler::emit_FloorDivConstant(const Instruction& in) { emit_division(in, false); }
void BaselineCompiler::emit_Mod(const Instruction& in) { emit_division(in, true); }
void BaselineCompiler::emit_ModConstant(const Instruction& in) { emit_division(in, true); }

}  // namespace mangata::jit
