#include "jit/ir/fold.h"

#include <bit>
#include <cmath>

namespace mangata::jit::ir {
namespace {

int64_t sign_extended(uint64_t bits, Type type) {
  const int unused = 64 - width_bits(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

std::optional<uint64_t> divided(Opcode op, uint64_t a, uint64_t b, Type type) {
  if (b == 0) return {};
  if (op == Opcode::UDiv) return a / b;
  const int64_t x = sign_extended(a, type), y = sign_extended(b, type);
  if (y == -1) return {};  // it may overflow
  return static_cast<uint64_t>(op == Opcode::SDiv ? x / y : x % y);
}

/// Of integers, pointers and Bools with these bits; the result may have more bits than its type.
std::optional<uint64_t> of_integers(Opcode op, uint64_t a, uint64_t b, Type type) {
  const auto width = static_cast<uint64_t>(width_bits(type));
  switch (op) {
    case Opcode::Add: return a + b;
    case Opcode::Sub: return a - b;
    case Opcode::Mul: return a * b;
    case Opcode::SDiv:
    case Opcode::SRem:
    case Opcode::UDiv: return divided(op, a, b, type);
    case Opcode::UMulHigh: return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
    case Opcode::And: return a & b;
    case Opcode::Or: return a | b;
    case Opcode::Xor: return a ^ b;
    case Opcode::Shl: return b < width ? std::optional(a << b) : std::nullopt;
    case Opcode::LShr: return b < width ? std::optional(a >> b) : std::nullopt;
    case Opcode::AShr: return b < width ? std::optional(static_cast<uint64_t>(sign_extended(a, type) >> b)) : std::nullopt;
    case Opcode::Eq: return a == b;
    case Opcode::Ne: return a != b;
    case Opcode::Slt: return sign_extended(a, type) < sign_extended(b, type);
    case Opcode::Sle: return sign_extended(a, type) <= sign_extended(b, type);
    case Opcode::Ult: return a < b;
    case Opcode::Ule: return a <= b;
    default: return {};
  }
}

std::optional<uint64_t> of_floats(Opcode op, double a, double b) {
  const auto bits = [](double value) { return std::bit_cast<uint64_t>(value); };
  switch (op) {
    case Opcode::FAdd: return bits(a + b);
    case Opcode::FSub: return bits(a - b);
    case Opcode::FMul: return bits(a * b);
    case Opcode::FDiv: return bits(a / b);
    case Opcode::FEq: return a == b;
    case Opcode::FNe: return a != b;
    case Opcode::FLt: return a < b;
    case Opcode::FLe: return a <= b;
    default: return {};
  }
}

std::optional<uint64_t> of_one(const Operation& operation, uint64_t a, Type type) {
  const auto real = std::bit_cast<double>(a);
  switch (operation.op) {
    case Opcode::ZExt:
    case Opcode::Truncate: return a;
    case Opcode::SExt: return static_cast<uint64_t>(sign_extended(a, type));
    case Opcode::IntegerToFloat: return std::bit_cast<uint64_t>(static_cast<double>(sign_extended(a, type)));
    case Opcode::BitsOfFloat:
    case Opcode::FloatOfBits:
    case Opcode::PointerToInteger:
    case Opcode::IntegerToPointer: return a;
    case Opcode::FNeg: return a ^ uint64_t { 1 } << 63;
    case Opcode::FAbs: return a & ~(uint64_t{1} << 63);
    case Opcode::FloatToInteger: return real >= -0x1p63 && real < 0x1p63 ? std::optional(static_cast<uint64_t>(static_cast<int64_t>(real))) : std::nullopt;
    default: return {};
  }
}

}  // namespace

std::optional<uint64_t> fold_from_first(const Function& function, const Operation& operation) {
  const int count = operand_count(info_of(operation.op).shape);
  const Operation& first = function[operation.operands[0]];
  std::optional<uint64_t> bits;
  if (operation.op == Opcode::Address) {
    if (operation.operands[1] && !function.is_constant(operation.operands[1])) return {};
    const uint64_t index = operation.operands[1] ? function[operation.operands[1]].immediate * Function::scale_of(operation) : 0;
    return first.immediate + index + operation.immediate;
  }
  if (count == 3 && operation.op == Opcode::Select && function.is_constant(operation.operands[1]) && function.is_constant(operation.operands[2])) {
    bits = function[operation.operands[first.immediate != 0 ? 1 : 2]].immediate;
  } else if (count == 1) {
    bits = of_one(operation, first.immediate, first.type);
  } else if (count == 2 && function.is_constant(operation.operands[1])) {
    const Operation& second = function[operation.operands[1]];
    bits = first.type == Type::F64 ? of_floats(operation.op, std::bit_cast<double>(first.immediate), std::bit_cast<double>(second.immediate))
                                   : of_integers(operation.op, first.immediate, second.immediate, first.type);
  }
  if (bits) *bits &= mask_of(operation.type);
  return bits;
}

Value fold_identity(Function* function, const Operation& operation) {
  const Value a = operation.operands[0], b = operation.operands[1];
  if (operation.op == Opcode::Select) {
    if (const std::optional<uint64_t> known = function->constant_of(a)) return *known != 0 ? b : operation.operands[2];
    return b == operation.operands[2] ? b : Value{};
  }
  if (operation.op == Opcode::Address) return !b && operation.immediate == 0 ? a : Value{};
  if (operand_count(info_of(operation.op).shape) != 2 || info_of(operation.op).effect != Effect::Pure) return {};
  const auto is = [&](Value value, uint64_t bits) {
    return function->constant_of(value) == bits;
  };
  const uint64_t ones = mask_of(operation.type);
  const auto zero = [&] { return function->constant(operation.type, 0); };
  const auto truth = [&](bool holds) { return function->constant(Type::Bool, holds ? 1 : 0); };
  switch (operation.op) {
    case Opcode::Add: return is(b, 0) ? a : is(a, 0) ? b
                                                     : Value{};
    case Opcode::Sub: return is(b, 0) ? a : a == b ? zero()
                                                   : Value{};
    case Opcode::Mul: return is(b, 1) ? a : is(a, 1)           ? b
                                        : is(a, 0) || is(b, 0) ? zero()
                                                               : Value{};
    case Opcode::And: return a == b || is(b, ones) ? a : is(a, ones)        ? b
                                                     : is(a, 0) || is(b, 0) ? zero()
                                                                            : Value{};
    case Opcode::Or: return a == b || is(b, 0) ? a : is(a, 0)                 ? b
                                                 : is(a, ones) || is(b, ones) ? function->constant(operation.type, ones)
                                                                              : Value{};
    case Opcode::Xor: return is(b, 0) ? a : is(a, 0) ? b
                                        : a == b     ? zero()
                                                     : Value{};
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
    case Opcode::RotL:
    case Opcode::RotR: return is(b, 0) ? a : Value{};
    case Opcode::SDiv:
    case Opcode::UDiv: return is(b, 1) ? a : Value{};
    case Opcode::FMul: {
      return function->float_constant_of(b) == 1.0 ? a : Value{};
    }
    case Opcode::Eq:
    case Opcode::Sle:
    case Opcode::Ule: return a == b ? truth(true) : Value{};
    case Opcode::Ne:
    case Opcode::Slt:
    case Opcode::Ult: return a == b ? truth(false) : Value{};
    default: return {};
  }
}

}  // namespace mangata::jit::ir
