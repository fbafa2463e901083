#include "jit/build/lower_bit_library.h"

#include "jit/build/lower_calls.h"
#include "jit/build/lower_intrinsics.h"
#include "vm/object/function.h"

namespace mangata::jit {
namespace {

/// An i32: the number modulo 2^32, a float rounded to the nearest integer. None: it is not known to be a number.
IrValue bits_of(const LoweringTools& t, Operand operand, TagMask recorded) {
  Writer& b = t.b;
  if (!t.values.expect_number(&operand, recorded)) return {};
  IrValue bits = operand.payload;
  if (operand.kind == Kind::Float)
    bits = b.bits_of_float(b.fadd(bits, b.f64(kRoundsToBits)));
  return b.truncate(bits, IrType::I32);
}

}  // namespace

bool is_bit_function(NativeId id) { return id >= NativeId::BitToBit && id <= NativeId::BitRotateRight; }

bool lower_bit_function(const LoweringTools& t, const Instruction& in, NativeId id, Operand function) {
  Writer& b = t.b;
  const int count = argument_count(t, in);
  const Register first = first_argument(in);
  const bool takes_two = id >= NativeId::BitShiftLeft;
  if (count < (takes_two ? 2 : 1)) return false;
  const bool takes_all = id == NativeId::BitAnd || id == NativeId::BitOr || id == NativeId::BitXor;
  std::vector<IrValue> arguments;
  for (int i = 0; i < (takes_all ? count : takes_two ? 2
                                                     : 1);
       ++i) {
    const TagMask recorded = in.b == 0 || i > 1 ? TagMask{0} : i == 0 ? t.walk.site().left
                                                                      : t.walk.site().right;
    IrValue bits = bits_of(t, t.values.read(first + i), recorded);
    if (!bits) return false;
    arguments.push_back(bits);
  }
  if (!guard_native(t, &function, id)) return false;
  IrValue result = arguments[0];
  IrValue places = takes_two ? b.bit_and(arguments[1], b.i32(31)) : IrValue{};
  switch (id) {
    case NativeId::BitNot:
      result = b.bit_not(result);
      break;
    case NativeId::BitSwap:
      result = b.bswap(result);
      break;
    case NativeId::BitAnd:
      for (size_t i = 1; i < arguments.size(); ++i) result = b.bit_and(result, arguments[i]);
      break;
    case NativeId::BitOr:
      for (size_t i = 1; i < arguments.size(); ++i) result = b.bit_or(result, arguments[i]);
      break;
    case NativeId::BitXor:
      for (size_t i = 1; i < arguments.size(); ++i) result = b.bit_xor(result, arguments[i]);
      break;
    case NativeId::BitShiftLeft:
      result = b.shl(result, places);
      break;
    case NativeId::BitShiftRight:
      result = b.lshr(result, places);
      break;
    case NativeId::BitShiftSigned:
      result = b.ashr(result, places);
      break;
    case NativeId::BitRotateLeft:
      result = b.rotl(result, places);
      break;
    case NativeId::BitRotateRight:
      result = b.rotr(result, places);
      break;
    default:
      break;
  }
  t.values.write_integer(in.ra(), b.sext(result, IrType::I64));
  return true;
}

}  // namespace mangata::jit
