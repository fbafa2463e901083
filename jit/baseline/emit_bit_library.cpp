// The library `bit` inline (vm/intrinsics.def), for arguments that are numbers.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// The low half of `reg` := R[from] modulo 2^32, a float rounded to the nearest integer. Clobbers rax.
void BaselineCompiler::load_bits(Gp reg, int from, const Label& otherwise) {
  const Operand operand = register_operand(from);
  const Label loaded = a_.newLabel();
  const auto from_float = [this, reg, from] {
    a_.movsd(xmm0, payload_of(from));
    load_float_constant(xmm1, kRoundsToBits);
    a_.addsd(xmm0, xmm1);
    a_.movd(reg.r32(), xmm0);
  };
  if (operand.kind == NumberKind::Float) return from_float();
  branch_unless_number(operand, NumberKind::Integer, slow_path([this, from, from_float, otherwise, loaded] {
                         branch_unless_tag(from, Tag::Float, otherwise);
                         from_float();
                         a_.jmp(loaded);
                       }));
  a_.mov(reg.r32(), dword_ptr(kBase, from * kSlotBytes));
  a_.bind(loaded);
}

/// edx := the function's result for R[from] and the registers behind it. Behind the guard of the function.
void BaselineCompiler::emit_bit_operator(NativeId id, int from, int count, const Label& otherwise) {
  load_bits(rdx, from, otherwise);
  switch (id) {
    case NativeId::BitNot:
      a_.not_(edx);
      return;
    case NativeId::BitSwap:
      a_.bswap(edx);
      return;
    case NativeId::BitAnd:
    case NativeId::BitOr:
    case NativeId::BitXor:
      for (int i = 1; i < count; ++i) {
        load_bits(rcx, from + i, otherwise);
        id == NativeId::BitAnd  ? a_.and_(edx, ecx)
        : id == NativeId::BitOr ? a_.or_(edx, ecx)
                                : a_.xor_(edx, ecx);
      }
      return;
    default:
      break;
  }
  if (id == NativeId::BitToBit) return;
  load_bits(rcx, from + 1, otherwise);  // of which shifts take five bits
  switch (id) {
    case NativeId::BitShiftLeft:
      a_.shl(edx, cl);
      return;
    case NativeId::BitShiftRight:
      a_.shr(edx, cl);
      return;
    case NativeId::BitShiftSigned:
      a_.sar(edx, cl);
      return;
    case NativeId::BitRotateLeft:
      a_.rol(edx, cl);
      return;
    default:
      a_.ror(edx, cl);
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
  emit_native_guard(in.a, id, otherwise);
  emit_bit_operator(id, in.a + kCallOverheadSlots, count, otherwise);
  a_.movsxd(rax, edx);
  a_.mov(payload_of(in.a), rax);
  store_tag(in.a, Tag::Integer);
  return true;
}

}  // namespace mangata::jit
