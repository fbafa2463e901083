// Bitwise operators (manual §3.4.2). Integers inline, and floats with integer values; shifts of these are for
// the runtime.
#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace registers;

/// t0 := t0 op right
template <typename Right>
void BaselineCompiler::emit_bitwise_on_t0(Bitwise op, const Right& right) {
  switch (op) {
    case Bitwise::And:
      return masm_.and_(t0, right);
    case Bitwise::Or:
      return masm_.or_(t0, right);
    case Bitwise::Xor:
      return masm_.xor_(t0, right);
  }
}

void BaselineCompiler::emit_bitwise(const Instruction& in, Bitwise op) {
  Operand left = left_operand(in), right = right_operand(in);
  if (left.is_constant()) std::swap(left, right);
  int64_t integer;
  if (right.is_constant() && right.kind == NumberKind::Float && float_to_integer(right.as_double(), &integer))
    right = {.payload = static_cast<uint64_t>(integer), .kind = NumberKind::Integer};
  const Operand to = register_operand(in.ra());
  const bool known = left.kind == NumberKind::Integer && right.kind == NumberKind::Integer;
  const Label done = masm_.new_label();
  Label otherwise;
  if (!known) {
    const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
    otherwise = slow_path([this, op, to, left, right, slow, done] {
      load_as_integer(left, slow);
      masm_.move(a2, t0);
      load_as_integer(right, slow);
      emit_bitwise_on_t0(op, a2);
      store_integer(to, t0);
      masm_.jump(done);
    });
  }
  branch_unless_number(left, NumberKind::Integer, otherwise);
  branch_unless_number(right, NumberKind::Integer, otherwise);
  load_integer(t0, left);
  if (!right.is_constant()) {
    emit_bitwise_on_t0(op, payload_of(right.reg));
  } else if (right.fits_immediate()) {
    emit_bitwise_on_t0(op, static_cast<int32_t>(right.payload));
  } else if (op == Bitwise::And && right.payload <= UINT32_MAX) {
    masm_.and_(low(t0), static_cast<uint32_t>(right.payload));
  } else {
    load_integer(a3, right);
    emit_bitwise_on_t0(op, a3);
  }
  store_integer(to, t0);
  masm_.bind(done);
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
    masm_.clear(t0);
    return store_integer(to, t0);
  }
  load_integer(t0, left);
  if (count < 0) to_left = !to_left;
  const auto bits = static_cast<int32_t>(count < 0 ? -count : count);
  if (bits != 0) to_left ? masm_.shift_left(t0, bits) : masm_.shift_right(t0, bits);
  store_integer(to, t0);
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
                           masm_.load(a3, payload_of(right.reg));
                           masm_.compare(a3, 63);
                           masm_.branch(Condition::Above, slow);
                           load_integer(t0, left);
                           to_left ? masm_.shift_left_by_count(t0) : masm_.shift_right_by_count(t0);
                           store_integer(to, t0);
                         },
                     .floats = {}});
}

void BaselineCompiler::emit_ShiftLeft(const Instruction& in) { emit_shift(in, true); }
void BaselineCompiler::emit_ShiftRight(const Instruction& in) { emit_shift(in, false); }
void BaselineCompiler::emit_ShiftLeftConstant(const Instruction& in) { emit_shift(in, true); }
void BaselineCompiler::emit_ShiftRightConstant(const Instruction& in) { emit_shift(in, false); }

void BaselineCompiler::emit_BitNot(const Instruction& in) {
  const Operand from = register_operand(in.rb());
  branch_unless_number(from, NumberKind::Integer, metamethod_slow_path(arithmetic_or_metamethod));
  masm_.load(t0, payload_of(from.reg));
  masm_.complement(t0);
  store_integer(register_operand(in.ra()), t0);
}

}  // namespace mangata::jit
