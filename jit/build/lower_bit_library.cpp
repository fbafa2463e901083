// The library `bit` inline (vm/intrinsics.def), for arguments that are numbers; jit/baseline/emit_bit_library.cpp does the same.

#include "jit/build/lowering.h"
#include "vm/object/function.h"

namespace mangata::jit {

bool Lowering::is_bit_function(NativeId id) { return id >= NativeId::BitToBit && id <= NativeId::BitRotateRight; }

/// An i32: the number modulo 2^32, a float rounded to the nearest integer. None: it is not known to be a number.
ir::Value Lowering::bits_of(Operand operand, TagMask recorded) {
  if (!values_.expect_number(&operand, recorded)) return {};
  IrValue bits = operand.payload;
  if (operand.kind == Kind::Float)
    bits = b_.bits_of_float(b_.fadd(bits, b_.f64(kRoundsToBits)));
  return b_.truncate(bits, IrType::I32);
}

/// Of `function`, of which the id is not checked yet. False: it lacks an argument, or one is no number.
bool Lowering::lower_bit_function(const Instruction& in, NativeId id, Operand function) {
  const int count = argument_count(in);
  const Register first = first_argument(in);
  const bool takes_two = id >= NativeId::BitShiftLeft;
  if (count < (takes_two ? 2 : 1)) return false;
  const bool takes_all = id == NativeId::BitAnd || id == NativeId::BitOr || id == NativeId::BitXor;
  std::vector<IrValue> arguments;
  for (int i = 0; i < (takes_all ? count : takes_two ? 2
                                                     : 1);
       ++i) {
    const TagMask recorded = in.b == 0 || i > 1 ? TagMask{0} : i == 0 ? walk_.site().left
                                                                      : walk_.site().right;
    IrValue bits = bits_of(values_.read(first + i), recorded);
    if (!bits) return false;
    arguments.push_back(bits);
  }
  if (!guard_native(&function, id)) return false;
  IrValue result = arguments[0];
  IrValue places = takes_two ? b_.bit_and(arguments[1], b_.i32(31)) : IrValue{};
  switch (id) {
    case NativeId::BitNot:
      result = b_.bit_not(result);
      break;
    case NativeId::BitSwap:
      result = b_.bswap(result);
      break;
    case NativeId::BitAnd:
      for (size_t i = 1; i < arguments.size(); ++i) result = b_.bit_and(result, arguments[i]);
      break;
    case NativeId::BitOr:
      for (size_t i = 1; i < arguments.size(); ++i) result = b_.bit_or(result, arguments[i]);
      break;
    case NativeId::BitXor:
      for (size_t i = 1; i < arguments.size(); ++i) result = b_.bit_xor(result, arguments[i]);
      break;
    case NativeId::BitShiftLeft:
      result = b_.shl(result, places);
      break;
    case NativeId::BitShiftRight:
      result = b_.lshr(result, places);
      break;
    case NativeId::BitShiftSigned:
      result = b_.ashr(result, places);
      break;
    case NativeId::BitRotateLeft:
      result = b_.rotl(result, places);
      break;
    case NativeId::BitRotateRight:
      result = b_.rotr(result, places);
      break;
    default:
      break;
  }
  values_.write_integer(in.ra(), b_.sext(result, IrType::I64));
  return true;
}

}  // namespace mangata::jit
