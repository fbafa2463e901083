// Arithmetic and bitwise operators (manual §3.4.1, §3.4.2).
#include <llvm/IR/Intrinsics.h>

#include "jit/optimizer/lowering.h"
#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {
namespace {

bool has_constant(const Instruction& in) { return has_constant_operand(in.op); }

}  // namespace

Lowering::Operand Lowering::left_operand(const Instruction& in) {
  return has_constant(in) && in.d == kOperandsSwapped ? constant(in.c) : peek(in.b);
}

Lowering::Operand Lowering::right_operand(const Instruction& in) {
  if (!has_constant(in)) return peek(in.c);
  return in.d == kOperandsSwapped ? peek(in.b) : constant(in.c);
}

/// Rounds towards minus infinity. A divisor of 0 is an error, and -1 may overflow: both are for the runtime.
bool Lowering::lower_integer_division(const Operand& left, const Operand& right, int to, bool remainder) {
  const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(right.payload);
  if (divisor != nullptr && divisor->getSExtValue() > 0) {
    const uint64_t value = divisor->getZExtValue();
    if ((value & (value - 1)) == 0) {
      const int shift = std::countr_zero(value);
      write_integer(to, remainder ? b_.CreateAnd(left.payload, word(value - 1))
                                  : b_.CreateAShr(left.payload, word(static_cast<uint64_t>(shift))));
      return true;
    }
  } else {
    // Above 0 or below -1.
    guard(b_.CreateICmpUGT(b_.CreateAdd(right.payload, word(1)), word(1)));
  }
  IrValue* rest = b_.CreateSRem(left.payload, right.payload);
  IrValue* differs = b_.CreateAnd(b_.CreateICmpNE(rest, word(0)),
                                  b_.CreateICmpSLT(b_.CreateXor(rest, right.payload), word(0)));
  if (remainder) {
    write_integer(to, b_.CreateAdd(rest, b_.CreateSelect(differs, right.payload, word(0))));
  } else {
    IrValue* quotient = b_.CreateSDiv(left.payload, right.payload);
    write_integer(to, b_.CreateSub(quotient, b_.CreateZExt(differs, b_.getInt64Ty())));
  }
  return true;
}

/// x % y: without a call where neither has a sign and the quotient is less than 2^53 (why that is exact: vm/operations/arithmetic.cpp).
llvm::Value* Lowering::float_modulo(IrValue* x, IrValue* y) {
  auto* signature =
      llvm::FunctionType::get(b_.getDoubleTy(), {b_.getPtrTy(), b_.getDoubleTy(), b_.getDoubleTy()}, false);
  give_back_events();  // the call may be charged for
  const auto call_runtime = [&] {
    auto* call = b_.CreateCall(signature, address_constant(runtime_.float_modulo), {vm_, x, y});
    if (!input_.counts_events) call->setDoesNotAccessMemory();
    return call;
  };
  if (!__builtin_cpu_supports("fma")) return call_runtime();

  const auto real = [&](double value) { return llvm::ConstantFP::get(b_.getDoubleTy(), value); };
  const auto has_no_sign = [&](IrValue* value) {
    return b_.CreateICmpSGE(b_.CreateBitCast(value, b_.getInt64Ty()), word(0));
  };
  const auto* divisor = llvm::dyn_cast<llvm::ConstantFP>(y);
  const bool is_plain_divisor = divisor != nullptr && !divisor->isNegative() && divisor->getValueAPF().isFinite();
  IrValue* quotient = b_.CreateFDiv(x, y);
  IrValue* is_near = b_.CreateAnd(b_.CreateFCmpOLT(quotient, real(0x1p53)), has_no_sign(x));
  if (!is_plain_divisor) {
    IrValue* is_finite = b_.CreateFCmpOLT(y, llvm::ConstantFP::getInfinity(b_.getDoubleTy()));
    is_near = b_.CreateAnd(is_near, b_.CreateAnd(is_finite, has_no_sign(y)));
  }
  Block* near = make_block("near");
  Block* distant = make_block("distant");
  Block* done = make_block("modulo");
  set_likely(b_.CreateCondBr(is_near, near, distant), true);

  b_.SetInsertPoint(near);
  IrValue* whole = b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, quotient);
  IrValue* rest = b_.CreateIntrinsic(llvm::Intrinsic::fma, {b_.getDoubleTy()}, {b_.CreateFNeg(whole), y, x});
  IrValue* was_rounded_up = b_.CreateFCmpOLT(rest, real(0));
  IrValue* result = b_.CreateSelect(was_rounded_up, b_.CreateFAdd(rest, y), rest);
  b_.CreateBr(done);

  b_.SetInsertPoint(distant);
  IrValue* from_runtime = call_runtime();
  b_.CreateBr(done);

  b_.SetInsertPoint(done);
  llvm::PHINode* remainder = b_.CreatePHI(b_.getDoubleTy(), 2);
  remainder->addIncoming(result, near);
  remainder->addIncoming(from_runtime, distant);
  return remainder;
}

bool Lowering::lower_arithmetic(const Instruction& in) {
  Operand left = left_operand(in);
  Operand right = right_operand(in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  const TagMask left_types = swapped ? TagMask{0} : site().left;
  const TagMask right_types = swapped ? site().left : site().right;
  if (!expect_number(&left, left_types)) return lower_operator(in, left, right);
  if (left.slot >= 0 && left.slot == right.slot) {
    right = left;
  } else if (!expect_number(&right, right_types)) {
    return lower_operator(in, left, right);
  }
  const ArithmeticOperator op = *operator_of(in.op);
  const bool integers = left.kind == Kind::Integer && right.kind == Kind::Integer;
  if (integers) {
    switch (op) {
      case ArithmeticOperator::Add:
        return write_integer(in.a, b_.CreateAdd(left.payload, right.payload)), true;
      case ArithmeticOperator::Sub:
        return write_integer(in.a, b_.CreateSub(left.payload, right.payload)), true;
      case ArithmeticOperator::Mul:
        return write_integer(in.a, b_.CreateMul(left.payload, right.payload)), true;
      case ArithmeticOperator::Mod:
        return lower_integer_division(left, right, in.a, true);
      case ArithmeticOperator::FloorDiv:
        return lower_integer_division(left, right, in.a, false);
      default:
        break;
    }
  }
  IrValue* x = as_double(left);
  IrValue* y = as_double(right);
  auto* binary = llvm::FunctionType::get(b_.getDoubleTy(), {b_.getDoubleTy(), b_.getDoubleTy()}, false);
  switch (op) {
    case ArithmeticOperator::Add:
      return write_float(in.a, b_.CreateFAdd(x, y)), true;
    case ArithmeticOperator::Sub:
      return write_float(in.a, b_.CreateFSub(x, y)), true;
    case ArithmeticOperator::Mul:
      return write_float(in.a, b_.CreateFMul(x, y)), true;
    case ArithmeticOperator::Div:
      return write_float(in.a, b_.CreateFDiv(x, y)), true;
    case ArithmeticOperator::FloorDiv:
      return write_float(in.a, b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, b_.CreateFDiv(x, y))), true;
    case ArithmeticOperator::Mod:
      return write_float(in.a, float_modulo(x, y)), true;
    case ArithmeticOperator::Pow: {
      if (auto* exponent = llvm::dyn_cast<llvm::ConstantFP>(y);
          exponent != nullptr && exponent->isExactlyValue(2.0)) {
        return write_float(in.a, b_.CreateFMul(x, x)), true;
      }
      if (auto* exponent = llvm::dyn_cast<llvm::ConstantFP>(y);
          exponent != nullptr && exponent->isExactlyValue(0.5)) {
        break;  // pow(-0.0, 0.5) is not sqrt's answer
      }
      auto* call = b_.CreateCall(binary, address_constant(runtime_.power), {x, y});
      call->setDoesNotAccessMemory();
      return write_float(in.a, call), true;
    }
    default:
      break;
  }
  return lower_by_runtime();
}

bool Lowering::lower_shift(const Operand& left, const Operand& right, int to, bool to_left) {
  const auto shifted = [&](IrValue* count, bool left_wards) {
    return left_wards ? b_.CreateShl(left.payload, count) : b_.CreateLShr(left.payload, count);
  };
  if (auto* count = llvm::dyn_cast<llvm::ConstantInt>(right.payload)) {
    int64_t bits = count->getSExtValue();
    if (bits >= 64 || bits <= -64) return write_integer(to, word(0)), true;
    if (bits < 0) to_left = !to_left, bits = -bits;
    write_integer(to, shifted(word(static_cast<uint64_t>(bits)), to_left));
    return true;
  }
  guard(b_.CreateICmpULE(right.payload, word(63)));
  write_integer(to, shifted(right.payload, to_left));
  return true;
}

bool Lowering::lower_bitwise(const Instruction& in) {
  Operand left = left_operand(in);
  Operand right = right_operand(in);
  const bool swapped = has_constant(in) && in.d == kOperandsSwapped;
  constexpr TagMask kInteger = tag_bit(Tag::Integer);
  const TagMask left_types = swapped ? TagMask{0} : site().left;
  const TagMask right_types = swapped ? site().left : site().right;
  if ((left.kind == Kind::Any && left_types != kInteger) ||
      (right.kind == Kind::Any && right_types != kInteger) || !expect(&left, Kind::Integer)) {
    return lower_operator(in, left, right);
  }
  if (left.slot >= 0 && left.slot == right.slot) right = left;
  if (!expect(&right, Kind::Integer)) return lower_operator(in, left, right);
  const ArithmeticOperator op = *operator_of(in.op);
  switch (op) {
    case ArithmeticOperator::BitAnd:
      return write_integer(in.a, b_.CreateAnd(left.payload, right.payload)), true;
    case ArithmeticOperator::BitOr:
      return write_integer(in.a, b_.CreateOr(left.payload, right.payload)), true;
    case ArithmeticOperator::BitXor:
      return write_integer(in.a, b_.CreateXor(left.payload, right.payload)), true;
    case ArithmeticOperator::ShiftLeft:
    case ArithmeticOperator::ShiftRight:
      return lower_shift(left, right, in.a, op == ArithmeticOperator::ShiftLeft);
    default:
      return lower_by_runtime();
  }
}

bool Lowering::lower_unary(const Instruction& in) {
  Operand operand = peek(in.b);
  switch (*operator_of(in.op)) {
    case ArithmeticOperator::Negate:
      if (!expect_number(&operand, site().left)) break;
      if (operand.kind == Kind::Integer) return write_integer(in.a, b_.CreateNeg(operand.payload)), true;
      return write_float(in.a, b_.CreateFNeg(operand.payload)), true;
    case ArithmeticOperator::BitNot:
      if (operand.kind == Kind::Any && site().left != tag_bit(Tag::Integer)) break;
      if (!expect(&operand, Kind::Integer)) break;
      return write_integer(in.a, b_.CreateNot(operand.payload)), true;
    default:
      break;
  }
  return lower_operator(in, operand, operand);
}

bool Lowering::lower_not(const Instruction& in) {
  const Operand operand = peek(in.b);
  bool known = false;
  IrValue* is_true = truth(operand, &known);
  if (is_true == nullptr) return write_boolean(in.a, !known), true;
  Operand result{.kind = Kind::Any};
  result.payload = b_.CreateZExt(b_.CreateNot(is_true), b_.getInt64Ty());
  result.tag = b_.CreateSelect(is_true, word(static_cast<uint64_t>(Tag::False)), word(static_cast<uint64_t>(Tag::True)));
  return write(in.a, result), true;
}

/// By a metamethod: one that is inlined, or whatever the runtime finds.
bool Lowering::lower_operator(const Instruction& in, const Operand& left, const Operand& right) {
  return inline_operator(in, left, right) ? false : lower_by_runtime();
}

}  // namespace mangata::jit
