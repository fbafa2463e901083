// Comparisons, alone or before what they are for.
#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

namespace {

uint8_t condition_of_opcode(Opcode op) {
  switch (op) {
    case Opcode::Eq: return kEqual;
    case Opcode::Ne: return kNotEqual;
    case Opcode::Slt: return kLess;
    case Opcode::Sle: return kLessEqual;
    case Opcode::Ult: return kBelow;
    case Opcode::Ule: return kBelowEqual;
    case Opcode::FEq: return kFloatEqual;
    case Opcode::FNe: return kFloatNotEqual;
    case Opcode::FLt: return kAbove;        // of the operands swapped
    case Opcode::FLe: return kAboveEqual;
    default: return kNotEqual;
  }
}

/// The same of the operands swapped.
uint8_t swapped(uint8_t condition) {
  switch (condition) {
    case kLess: return kGreater;
    case kLessEqual: return kGreaterEqual;
    case kBelow: return kAbove;
    case kBelowEqual: return kAboveEqual;
    default: return condition;
  }
}

}  // namespace

void Selector::select_conditions(ir::Value value, const ir::Operation& operation) {
  switch (operation.op) {
    case Opcode::Eq:
    case Opcode::Ne:
    case Opcode::Slt:
    case Opcode::Sle:
    case Opcode::Ult:
    case Opcode::Ule:
    case Opcode::FEq:
    case Opcode::FNe:
    case Opcode::FLt:
    case Opcode::FLe: {
      const Condition condition = comparison_of(operation);
      begin(Op::Set);
      add_condition(condition);
      define(value);
      return;
    }
    case Opcode::Select:
      select_select(value, operation);
      return;
    case Opcode::Branch:
      select_branch(operation);
      return;
    default:
      return;
  }
}

Selector::Condition Selector::comparison_of(const ir::Operation& operation) const {
  Condition result{.condition = condition_of_opcode(operation.op), .left = operation.operands[0], .right = operation.operands[1]};
  if (function_.type_of(result.left) == ir::Type::F64) {
    result.compare = Compare::Floats;
    if (operation.op == Opcode::FLt || operation.op == Opcode::FLe) std::swap(result.left, result.right);
    return result;
  }
  result.compare = Compare::Integers;
  result.width = bytes(function_.type_of(result.left));
  if (function_.is_constant(result.left)) {
    std::swap(result.left, result.right);
    result.condition = swapped(result.condition);
  }
  const std::optional<uint64_t> right = function_.constant_of(result.right);
  if (right && *right == 0) {
    const ir::Operation& left = function_[result.left];
    if (left.op == Opcode::And && is_folded(result.left)) {
      result.compare = Compare::Bits;
      result.left = left.operands[0];
      result.right = left.operands[1];
      if (function_.is_constant(result.left)) std::swap(result.left, result.right);
      const std::optional<uint64_t> mask = function_.constant_of(result.right);
      if (mask && *mask < 128 && !is_folded_load(result.left)) result.width = 1;  // which leaves no sign, either
    } else if (!is_folded_load(result.left) && result.condition != kBelow && result.condition != kAbove) {
      result.compare = Compare::Bits;
      result.right = result.left;
    }
  }
  return result;
}

/// Of a folded comparison, or whether the value is true.
Selector::Condition Selector::condition_of(ir::Value value) const {
  bool is_opposite = false;
  while (function_[value].op == Opcode::Xor && is_folded(value)) {
    is_opposite ^= *function_.constant_of(function_[value].operands[1]) != 0;
    value = function_[value].operands[0];
  }
  Condition result;
  if (is_folded(value)) {
    result = comparison_of(function_[value]);
  } else {
    result = {.compare = Compare::Bits, .condition = kNotEqual, .width = 1, .left = value, .right = value};
  }
  if (is_opposite) result.condition = opposite(result.condition);
  return result;
}

void Selector::add_condition(const Condition& condition) {
  {
    Instruction& in = code().instructions.back();
    in.compare = static_cast<uint8_t>(condition.compare);
    in.condition = condition.condition;
    in.width = condition.width;
  }
  if (condition.compare == Compare::Floats) {
    use(condition.left);
    return use(condition.right, Use::Any);
  }
  const std::optional<int32_t> immediate = immediate_of(condition.right);
  if (is_folded_load(condition.left)) {
    if (!immediate) use(condition.right);
    add_loaded(condition.left);
    Instruction& in = code().instructions.back();
    in.form = static_cast<uint8_t>(immediate ? Form::MemoryImmediate : Form::MemoryRegister);
    in.immediate = immediate.value_or(0);
  } else if (is_folded_load(condition.right)) {
    use(condition.left);
    add_loaded(condition.right);
  } else if (immediate) {
    use(condition.left);
    Instruction& in = code().instructions.back();
    in.form = static_cast<uint8_t>(Form::Immediate);
    in.immediate = *immediate;
  } else {
    use(condition.left);
    if (condition.left != condition.right) use(condition.right, condition.compare == Compare::Bits ? Use::Register : Use::Any);
  }
}

/// A move of the second over the third.
void Selector::select_select(ir::Value value, const ir::Operation& operation) {
  Condition condition = condition_of(operation.operands[0]);
  ir::Value chosen = operation.operands[1];
  ir::Value otherwise = operation.operands[2];
  if (condition.condition == kFloatEqual) {
    condition.condition = kFloatNotEqual;
    std::swap(chosen, otherwise);
  }
  const bool is_float = operation.type == ir::Type::F64;
  begin(is_float ? Op::SelectFloat : Op::Select);
  use(otherwise);
  use(chosen, Use::Any);
  add_condition(condition);
  define(value, Use::DefineAsFirst);
}

void Selector::select_branch(const ir::Operation& operation) {
  const Condition condition = condition_of(operation.operands[0]);
  begin(Op::Branch);
  add_condition(condition);
}

}  // namespace mangata::jit::quick::x64
