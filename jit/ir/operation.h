// The vocabulary of the IR: types, ids, and the table of operations (operations.def). Read next: function.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace mangata::jit::ir {

enum class Type : uint8_t {
  None,  ///< no value
  Bool,
  I8,
  I16,
  I32,
  I64,
  F64,
  Pointer
};
inline constexpr size_t kTypes = 8;
const char* name_of(Type type);
constexpr bool is_integer(Type type) { return type >= Type::I8 && type <= Type::I64; }
/// Of a value in memory; of a Bool 1.
constexpr int size_bytes(Type type) {
  constexpr int kSizes[kTypes] = {0, 1, 1, 2, 4, 8, 8, 8};
  return kSizes[static_cast<size_t>(type)];
}
constexpr int width_bits(Type type) { return type == Type::Bool ? 1 : 8 * size_bytes(type); }
/// The bits that a constant of the type has.
constexpr uint64_t mask_of(Type type) { return size_bytes(type) == 8 ? ~uint64_t{0} : (uint64_t{1} << width_bits(type)) - 1; }

/// 2^64 by the golden ratio: multiples of it are far from each other in their upper bits.
inline constexpr uint64_t kHashMultiplier = 0x9E3779B97F4A7C15u;

/// An index, which is a type of its own. The default one is none.
template <typename Tag>
struct Id {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t index = kNone;

  constexpr bool is_valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return is_valid(); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

/// What an operation defines, and the operation: constants and parameters are operations, too.
using Value = Id<struct ValueTag>;
using BlockId = Id<struct BlockTag>;
using Variable = Id<struct VariableTag>;

enum class Opcode : uint8_t {
#define OPERATION(name, ...) name,
#include "jit/ir/operations.def"
};

/// What an operation consists of.
enum class Shape : uint8_t {
#define SHAPE(name, ...) name,
#include "jit/ir/shapes.def"
};

struct ShapeInfo {
  uint8_t operands;  ///< how many of Operation::operands are values
  const char* text;  ///< its parts, as shapes.def says
};
inline constexpr ShapeInfo kShapes[] = {
#define SHAPE(name, operands, text) {operands, text},
#include "jit/ir/shapes.def"
};
constexpr const ShapeInfo& info_of(Shape shape) { return kShapes[static_cast<size_t>(shape)]; }

enum class ResultRule : uint8_t {
  Given,
  None,
  Bool,
  I64,
  F64,
  Pointer,
  Operand,  ///< that of the first operand
  Second
};

enum class Effect : uint8_t {
  Pure,
  Reads,           ///< memory of a class
  Writes,          ///< memory of a class
  ReadsVariable,
  WritesVariable,
  ReadsStack,      ///< the native stack's pointer
  Calls,
  Control
};

struct OperationInfo {
  const char* text;
  Shape shape;
  ResultRule result;
  Effect effect;
};
inline constexpr OperationInfo kOperations[] = {
#define OPERATION(name, text, shape, result, effect) {text, Shape::shape, ResultRule::result, Effect::effect},
#include "jit/ir/operations.def"
};
constexpr const OperationInfo& info_of(Opcode op) { return kOperations[static_cast<size_t>(op)]; }

/// How many of Operation::operands are values.
constexpr int operand_count(Shape shape) { return info_of(shape).operands; }
/// Function::list() are values: arguments or results.
constexpr bool has_list(Shape shape) { return shape == Shape::Call || shape == Shape::CallFunction || shape == Shape::Jump || shape == Shape::Return; }

/// It may be a constant, if its operands are: it has some, and its value follows from them.
constexpr bool may_be_constant(Opcode op) {
  const OperationInfo& info = info_of(op);
  return info.effect == Effect::Pure && operand_count(info.shape) > 0 && info.shape != Shape::Result && info.shape != Shape::Second;
}

constexpr bool is_commutative(Opcode op) {
  return op == Opcode::Add || op == Opcode::Mul || op == Opcode::UMulHigh || op == Opcode::And || op == Opcode::Or || op == Opcode::Xor || op == Opcode::FAdd ||
         op == Opcode::FMul || op == Opcode::Eq || op == Opcode::Ne || op == Opcode::FEq || op == Opcode::FNe;
}

/// What a call may do with memory that the function's loads and stores touch.
enum class CallMemory : uint8_t {
  All,       ///< anything
  Reads,     ///< it reads anything, and writes what its last argument points to
  Private,   ///< it has a state of its own, which nothing else here touches; it comes back
  None       ///< its result follows from its arguments
};
inline constexpr size_t kCallMemories = 4;
inline constexpr const char* kCallMemoryNames[kCallMemories] = {"all", "reads", "private", "none"};

}  // namespace mangata::jit::ir
