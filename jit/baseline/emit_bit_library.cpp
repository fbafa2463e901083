// The library `bit` inline (vm/intrinsics.def), for arguments that are numbers.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// The low half of `reg` := R[from] modulo 2^32, a float rounded to the nearest integer. Clobbers t0.
void BaselineCompiler::load_bits(Gp reg, Register from, const Label& otherwise) {
  const Operand operand = register_operand(from);
  const Label loaded = masm_.new_label();
  const auto from_float = [this, reg, from] {
    masm_.load_float(f0, payload_of(from));
    load_float_constant(f1, kRoundsToBits);
    masm_.add_floats(f0, f1);
    masm_.move_bits(low(reg), f0);
  };
  if (operand.kind == NumberKind::Float) return from_float();
  branch_unless_number(operand, NumberKind::Integer, slow_path([this, from, from_float, otherwise, loaded] {
                         branch_unless_tag(from, Tag::Float, otherwise);
                         from_float();
                         masm_.jump(loaded);
                       }));
  masm_.load(low(reg), short_at(kBase, value_of(from) * kSlotBytes));
  masm_.bind(loaded);
}

/// a2 := the function's result for R[from] and the registers behind it. Behind the guard of the function.
void BaselineCompiler::emit_bit_operator(NativeId id, Register from, int count, const Label& otherwise) {
  load_bits(a2, from, otherwise);
  switch (id) {
    case NativeId::BitNot:
      masm_.complement(low(a2));
      return;
    case NativeId::BitSwap:
      masm_.reverse_bytes(low(a2));
      return;
    case NativeId::BitAnd:
    case NativeId::BitOr:
    case NativeId::BitXor:
      for (int i = 1; i < count; ++i) {
        load_bits(a3, from + i, otherwise);
        id == NativeId::BitAnd  ? masm_.and_(low(a2), low(a3))
        : id == NativeId::BitOr ? masm_.or_(low(a2), low(a3))
                                : masm_.xor_(low(a2), low(a3));
      }
      return;
    default:
      break;
  }
  if (id == NativeId::BitToBit) return;
  load_bits(a3, from + 1, otherwise);  // of which shifts take five bits
  switch (id) {
    case NativeId::BitShiftLeft:
      masm_.shift_left_by_count(low(a2));
      return;
    case NativeId::BitShiftRight:
      masm_.shift_right_by_count(low(a2));
      return;
    case NativeId::BitShiftSigned:
      masm_.shift_right_signed_by_count(low(a2));
      return;
    case NativeId::BitRotateLeft:
      masm_.rotate_left_by_count(low(a2));
      return;
    default:
      masm_.rotate_right_by_count(low(a2));
      return;
  }
}

/// False: it is none of the library's functions, or lacks an argument.
bool BaselineCompiler::emit_bit_intrinsic(const Instruction& in, NativeId id, const Label& otherwise) {
  constexpr int kMostArguments = 8;
  const int count = in.b - 1;
  const bool takes_two = id >= NativeId::BitShiftLeft && id <= NativeId::BitRotateRight;
  if (id < NativeId::BitToBit || id > NativeId::BitRotateRight || count < (takes_two ? 2 : 1) ||
      count > kMostArguments)
    return false;
  emit_native_guard(in.ra(), id, otherwise);
  emit_bit_operator(id, in.ra() + kCallOverheadSlots, count, otherwise);
  masm_.sign_extend(t0, low(a2));
  masm_.store(payload_of(in.ra()), t0);
  store_tag(in.ra(), Tag::Integer);
  return true;
}

}  // namespace mangata::jit
