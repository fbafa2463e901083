// Bitwise operators (manual §3.4.2). Integers inline; floats with integer values convert in the runtime.
#include "jit/baseline/compiler.h"
#include "jit/baseline/runtime_arithmetic.h"
#include "jit/baseline/runtime_metamethods.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::emit_bitwise(const Instruction& in, Bitwise op) {
  Operand left = left_operand(in), right = right_operand(in);
  if (left.is_constant()) std::swap(left, right);
  emit_number_cases(in, left, right,
                    {.integers =
                         [this, op, left, right](const Operand& to) {
                           const auto operate = [&](const auto& operand) {
                             switch (op) {
                               case Bitwise::And:
                                 a_.and_(rax, operand);
                                 break;
                               case Bitwise::Or:
                                 a_.or_(rax, operand);
                                 break;
                               case Bitwise::Xor:
                                 a_.xor_(rax, operand);
                                 break;
                             }
                           };
                           load_integer(rax, left);
                           if (!right.is_constant()) {
                             operate(payload_of(right.reg));
                           } else if (right.fits_immediate()) {
                             operate(static_cast<int32_t>(right.payload));
                           } else if (op == Bitwise::And && right.payload <= UINT32_MAX) {
                             a_.and_(eax, static_cast<uint32_t>(right.payload));
                           } else {
                             load_integer(rcx, right);
                             operate(rcx);
                           }
                           store_integer(to, rax);
                         },
                     .floats = {}});
}

void BaselineCompiler::emit_BitAnd(const Instruction& in) { emit_bitwise(in, Bitwise::And); }
void BaselineCompiler::emit_BitOr(const Instruction& in) { emit_bitwise(in, Bitwise::Or); }
void BaselineCompiler::emit_BitXor(const Instruction& in) { emit_bitwise(in, Bitwise::Xor); }
void BaselineCompiler::emit_BitAndConstant(const Instruction& in) { emit_bitwise(in, Bitwise::And); }
void BaselineCompiler::emit_BitOrConstant(const Instruction& in) { emit_bitwise(in, Bitwise::Or); }
void BaselineCompiler::emit_BitXorConstant(const Instruction& in) { emit_bitwise(in, Bitwise::Xor); }

/// Counts of 64 and more shift everything out; negative ones shift the other way.
void BaselineCompiler::emit_shift_by_constant(const Operand& to, const Operand& left, int64_t count,
                                              bool to_left) {
  if (count >= 64 || count <= -64) {
    a_.xor_(eax, eax);
    return store_integer(to, rax);
  }
  load_integer(rax, left);
  if (count < 0) to_left = !to_left;
  const auto bits = static_cast<int32_t>(count < 0 ? -count : count);
  if (bits != 0) to_left ? a_.shl(rax, bits) : a_.shr(rax, bits);
  store_integer(to, rax);
}

void BaselineCompiler::emit_shift(const Instruction& in, bool to_left) {
  const Operand left = left_operand(in), right = right_operand(in);
  const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
  emit_number_cases(in, left, right,
                    {.integers =
                         [this, left, right, to_left, slow](const Operand& to) {
                           if (right.is_constant()) {
                             const auto count = static_cast<int64_t>(right.payload);
                             return emit_shift_by_constant(to, left, count, to_left);
                           }
                           a_.mov(rcx, payload_of(right.reg));
                           a_.cmp(rcx, 63);
                           a_.ja(slow);
                           load_integer(rax, left);
                           to_left ? a_.shl(rax, cl) : a_.shr(rax, cl);
                           store_integer(to, rax);
                         },
                     .floats = {}});
}

void BaselineCompiler::emit_ShiftLeft(const Instruction& in) { emit_shift(in, true); }
void BaselineCompiler::emit_ShiftRight(const Instruction& in) { emit_shift(in, false); }
void BaselineCompiler::emit_ShiftLeftConstant(const Instruction& in) { emit_shift(in, true); }
void BaselineCompiler::emit_ShiftRightConstant(const Instruction& in) { emit_shift(in, false); }

void BaselineCompiler::emit_BitNot(const Instruction& in) {
  const Operand from = register_operand(in.b);
  branch_unless_number(from, NumberKind::Integer, metamethod_slow_path(arithmetic_or_metamethod));
  a_.mov(rax, payload_of(from.reg));
  a_.not_(rax);
  store_integer(register_operand(in.a), rax);
}

}  // namespace mangata::jit
