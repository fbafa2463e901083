#include "tests/unit/jit_quick/ir_interpreter.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace mangata::jit::ir {
namespace {

int64_t as_signed(uint64_t bits, Type type) {
  const int unused = 64 - width_bits(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}
double as_float(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits_of(double value) { return std::bit_cast<uint64_t>(value); }

uint64_t to_integer(double value, bool saturating) {
  if (value >= -0x1p63 && value < 0x1p63) return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (!saturating) return uint64_t{1} << 63;
  if (std::isnan(value)) return 0;
  return static_cast<uint64_t>(value > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min());
}

uint64_t float_operation(Opcode op, double a, double b, double c) {
  switch (op) {
    case Opcode::FAdd: return bits_of(a + b);
    case Opcode::FSub: return bits_of(a - b);
    case Opcode::FMul: return bits_of(a * b);
    case Opcode::FDiv: return bits_of(a / b);
    case Opcode::FNeg: return bits_of(a) ^ uint64_t { 1 } << 63;
    case Opcode::FAbs: return bits_of(a) & ~(uint64_t{1} << 63);
    case Opcode::FSqrt: return bits_of(std::sqrt(a));
    case Opcode::Floor: return bits_of(std::floor(a));
    case Opcode::Ceil: return bits_of(std::ceil(a));
    case Opcode::Trunc: return bits_of(std::trunc(a));
    case Opcode::Fma: return bits_of(std::fma(a, b, c));
    case Opcode::FEq: return a == b ? 1 : 0;
    case Opcode::FNe: return a != b ? 1 : 0;
    case Opcode::FLt: return a < b ? 1 : 0;
    default: return a <= b ? 1 : 0;
  }
}

uint64_t integer_operation(Opcode op, uint64_t a, uint64_t b, Type type) {
  const uint64_t width = static_cast<uint64_t>(width_bits(type));
  const int64_t x = as_signed(a, type);
  const int64_t y = as_signed(b, type);
  switch (op) {
    case Opcode::Add: return a + b;
    case Opcode::Sub: return a - b;
    case Opcode::Mul: return a * b;
    case Opcode::SDiv: return static_cast<uint64_t>(x / y);
    case Opcode::SRem: return static_cast<uint64_t>(x % y);
    case Opcode::UDiv: return a / b;
    case Opcode::UMulHigh: return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
    case Opcode::And: return a & b;
    case Opcode::Or: return a | b;
    case Opcode::Xor: return a ^ b;
    case Opcode::Shl: return a << b;
    case Opcode::LShr: return a >> b;
    case Opcode::AShr: return static_cast<uint64_t>(x >> b);
    case Opcode::RotL: return b == 0 ? a : a << b | a >> (width - b);
    case Opcode::RotR: return b == 0 ? a : a >> b | a << (width - b);
    case Opcode::Eq: return a == b ? 1 : 0;
    case Opcode::Ne: return a != b ? 1 : 0;
    case Opcode::Slt: return x < y ? 1 : 0;
    case Opcode::Sle: return x <= y ? 1 : 0;
    case Opcode::Ult: return a < b ? 1 : 0;
    case Opcode::Ule: return a <= b ? 1 : 0;
    case Opcode::BSwap: return __builtin_bswap64(a) >> (64 - width);
    default: return 0;
  }
}

}  // namespace

struct Interpreter::Frame {
  const Function& function;
  std::vector<uint64_t> values;
  std::vector<uint64_t> variables;
  std::map<uint32_t, std::vector<uint64_t>> lists;  ///< results of calls; areas
  BlockId block{0};
  std::optional<std::vector<uint64_t>> results;
  uint64_t of(Value value) const {
    if (function[value].op == Opcode::Variable) return variables[function[value].immediate];
    return function[value].op == Opcode::Constant ? function[value].immediate : values[value.index];
  }
  std::vector<uint64_t> all(std::span<const Value> list) const {
    std::vector<uint64_t> words;
    for (const Value value : list) words.push_back(of(value));
    return words;
  }
};

std::optional<std::vector<uint64_t>> Interpreter::run(size_t index, std::span<const uint64_t> arguments) {
  const Function& function = module_.functions[index];
  Frame frame{function, std::vector<uint64_t>(function.value_count()), std::vector<uint64_t>(function.variables().size()), {}, {0}, {}};
  for (size_t i = 0; i < arguments.size(); ++i) frame.values[function.parameters()[i].index] = arguments[i];
  while (!frame.results) {
    for (const Value value : function[frame.block].operations) {
      if (steps_left_ == 0) return {};
      --steps_left_;
      if (!execute(frame, value)) return {};
    }
  }
  return frame.results;
}

namespace {

/// What an operation of one or two operands is; none for those that do more than that.
std::optional<uint64_t> value_of(const Operation& operation, const uint64_t* in, Type from) {
  switch (operation.op) {
    case Opcode::Select: return in[0] != 0 ? in[1] : in[2];
    case Opcode::SExt: return static_cast<uint64_t>(as_signed(in[0], from)) & mask_of(operation.type);
    case Opcode::Truncate: return in[0] & mask_of(operation.type);
    case Opcode::IntegerToFloat: return bits_of(static_cast<double>(as_signed(in[0], from)));
    case Opcode::FloatToInteger: return to_integer(as_float(in[0]), false);
    case Opcode::FloatToIntegerSaturating: return to_integer(as_float(in[0]), true);
    case Opcode::ZExt:
    case Opcode::BitsOfFloat:
    case Opcode::FloatOfBits:
    case Opcode::PointerToInteger:
    case Opcode::IntegerToPointer: return in[0];
    case Opcode::Address: return in[0] + (operation.operands[1] ? in[1] * Function::scale_of(operation) : 0) + operation.immediate;
    default: break;
  }
  if (info_of(operation.op).effect != Effect::Pure || operation.op == Opcode::Undefined || info_of(operation.op).shape == Shape::Area) return {};
  if (operation.op == Opcode::Result || operation.op == Opcode::SecondWord) return {};
  if (from == Type::F64) return float_operation(operation.op, as_float(in[0]), as_float(in[1]), as_float(in[2]));
  return integer_operation(operation.op, in[0], in[1], from) & mask_of(operation.type);
}

}  // namespace

bool Interpreter::execute(Frame& frame, Value value) {
  const Function& f = frame.function;
  const Operation& operation = f[value];
  const Shape shape = info_of(operation.op).shape;
  uint64_t in[3] = {};
  for (size_t i = 0; i < static_cast<size_t>(operand_count(shape)) && shape != Shape::Second && shape != Shape::Result; ++i) {
    if (operation.operands[i]) in[i] = frame.of(operation.operands[i]);
  }
  uint64_t& out = frame.values[value.index];
  const Type from = operand_count(shape) > 0 && operation.operands[0] ? f.type_of(operation.operands[0]) : Type::None;
  if (const auto pure = value_of(operation, in, from)) {
    out = *pure;
    return true;
  }
  if (info_of(operation.op).effect == Effect::Control) return transfer(frame, operation, in[0]);
  switch (operation.op) {
    case Opcode::Load:
      out = 0;
      std::memcpy(&out, reinterpret_cast<const void*>(in[0] + operation.immediate), static_cast<size_t>(size_bytes(operation.type)));
      break;
    case Opcode::Store:
      std::memcpy(reinterpret_cast<void*>(in[1] + operation.immediate), in, static_cast<size_t>(size_bytes(from)));
      break;
    case Opcode::GetVariable: out = frame.variables[operation.immediate]; break;
    case Opcode::SetVariable: frame.variables[operation.immediate] = in[0]; break;
    case Opcode::StackArea: {
      std::vector<uint64_t>& area = frame.lists[value.index];
      area.resize((operation.immediate + 7) / 8);
      out = reinterpret_cast<uint64_t>(area.data());
      break;
    }
    case Opcode::StackPointer: out = reinterpret_cast<uint64_t>(&frame); break;
    case Opcode::Call:
      for (const Known& known : known_) {
        if (known.address == in[0]) out = known.callee(frame.all(f.list(operation))) & (operation.type == Type::None ? 0 : mask_of(operation.type));
      }
      break;
    case Opcode::CallFunction: {
      const auto results = run(operation.immediate, frame.all(f.list(operation)));
      if (!results) return false;
      frame.lists[value.index] = *results;
      break;
    }
    case Opcode::Result: out = frame.lists[operation.operands[0].index][operation.immediate]; break;
    default: break;
  }
  return true;
}

/// Goes on where a terminator leads.
bool Interpreter::transfer(Frame& frame, const Operation& operation, uint64_t operand) {
  const Function& f = frame.function;
  const auto enter = [&](size_t number) { frame.block = f.target(operation, number); };
  switch (operation.op) {
    case Opcode::Jump: {
      const std::vector<uint64_t> arguments = frame.all(f.list(operation));
      enter(0);
      for (size_t i = 0; i < arguments.size(); ++i) frame.values[f[frame.block].parameters[i].index] = arguments[i];
      return true;
    }
    case Opcode::Branch: enter(operand != 0 ? 0 : 1); return true;
    case Opcode::Switch: {
      size_t number = 0;
      while (number + 1 < f.target_count(operation) && *f.constant_of(f.case_of(operation, number)) != operand) ++number;
      enter(number);
      return true;
    }
    case Opcode::Return: frame.results = frame.all(f.list(operation)); return true;
    default: return false;
  }
}

}  // namespace mangata::jit::ir
