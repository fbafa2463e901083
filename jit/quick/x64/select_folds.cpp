// Which operations need no instruction of their own.
#include "jit/ir/operands.h"
#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

namespace {

/// Integer operations whose second operand may be in memory; of commutative ones both may.
bool takes_memory(Opcode op) {
  return op == Opcode::Add || op == Opcode::Sub || op == Opcode::And || op == Opcode::Or || op == Opcode::Xor || op == Opcode::Mul;
}
bool takes_float_memory(Opcode op) {
  return op == Opcode::FAdd || op == Opcode::FSub || op == Opcode::FMul || op == Opcode::FDiv;
}
bool compares_integers(Opcode op) { return op >= Opcode::Eq && op <= Opcode::Ule; }
bool compares_floats(Opcode op) { return op >= Opcode::FEq && op <= Opcode::FNe; }

}  // namespace

void Selector::count_uses() {
  for (const BlockOrder::Entry& entry : order_.entries) {
    for (const ir::Value value : function_[entry.block].operations) {
      const ir::Operation& operation = function_[value];
      const ir::Shape shape = ir::info_of(operation.op).shape;
      block_of_[value.index] = entry.block;
      ir::for_each_operand(function_, operation, [&](ir::Value operand) { ++uses_[operand.index]; });
      if (shape == ir::Shape::Load) ++address_uses_[operation.operands[0].index];
      if (shape == ir::Shape::Store) ++address_uses_[operation.operands[1].index];
    }
  }
}

void Selector::find_folds() {
  std::vector<uint32_t> epochs(function_.value_count(), 0);  // of loads: how many writes came before them
  uint32_t epoch = 0;
  for (const BlockOrder::Entry& entry : order_.entries) {
    ++epoch;
    for (const ir::Value value : function_[entry.block].operations) {
      const ir::Operation& operation = function_[value];
      const ir::Effect effect = ir::info_of(operation.op).effect;
      if (operation.op == Opcode::Load) epochs[value.index] = epoch;
      find_folds_of(value, epochs, epoch, entry.block);
      if (effect == ir::Effect::Writes || effect == ir::Effect::Calls) ++epoch;
    }
  }
}

void Selector::find_folds_of(ir::Value value, std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  const ir::Operation& operation = function_[value];
  switch (operation.op) {
    case Opcode::Address: {
      if (uses_[value.index] == 0 || uses_[value.index] != address_uses_[value.index]) return;
      const uint64_t offset = operation.immediate + 0x20000000u;
      const bool is_simple = !operation.operands[1] || operation.list_count == 1 || operation.list_count == 2 || operation.list_count == 4 || operation.list_count == 8;
      if (offset < 0x40000000u && (is_simple || (uses_[value.index] == 1 && (operation.list_count == 16 || operation.list_count == 32)))) folded_[value.index] = 1;
      return;
    }
    case Opcode::Branch:
    case Opcode::Select:
      return fold_condition(operation.operands[0], epochs, epoch, block);
    default:
      break;
  }
  if (takes_memory(operation.op) || takes_float_memory(operation.op)) {
    const ir::Type type = operation.type;
    if (type != ir::Type::I64 && type != ir::Type::I32 && type != ir::Type::F64) return;
    if (operation.op == Opcode::Sub && function_.constant_of(operation.operands[0]) == 0) return;  // it becomes a negation
    fold_load(operation.operands[1], epochs, epoch, block);
    if (!is_folded_load(operation.operands[1]) && ir::is_commutative(operation.op) && !function_.is_constant(operation.operands[1])) {
      fold_load(operation.operands[0], epochs, epoch, block);
    }
  } else if (compares_integers(operation.op)) {
    fold_compared(operation, epochs, epoch, block);
  } else if (operation.op == Opcode::SExt && function_.type_of(operation.operands[0]) != ir::Type::Bool) {
    fold_load(operation.operands[0], epochs, epoch, block);
  }
}

bool Selector::may_fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) const {
  const ir::Operation& operation = function_[load];
  if (operation.op != Opcode::Load || operation.is_volatile || !is_single_use_here(load, block) || epochs[load.index] != epoch) return false;
  const ir::Value pointer = operation.operands[0];
  return function_[pointer].op != Opcode::Address || !is_folded(pointer) || !function_[pointer].operands[1] || function_[pointer].list_count <= 8;
}

void Selector::fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  if (may_fold_load(load, epochs, epoch, block)) folded_[load.index] = 1;
}

void Selector::fold_compared(const ir::Operation& operation, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  fold_load(operation.operands[1], epochs, epoch, block);
  if (!is_folded_load(operation.operands[1])) fold_load(operation.operands[0], epochs, epoch, block);
}

/// A comparison that only this branch or choice wants, and a load in it.
void Selector::fold_condition(ir::Value condition, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  while (is_single_use_here(condition, block)) {
    const ir::Operation& operation = function_[condition];
    if (operation.op == Opcode::Xor && operation.type == ir::Type::Bool && function_.constant_of(operation.operands[1])) {
      folded_[condition.index] = 1;
      condition = operation.operands[0];
      continue;
    }
    if (compares_floats(operation.op)) {
      folded_[condition.index] = 1;
    } else if (compares_integers(operation.op)) {
      folded_[condition.index] = 1;
      const std::optional<uint64_t> zero = function_.constant_of(operation.operands[1]);
      const ir::Value left = operation.operands[0];
      if (zero && *zero == 0 && (operation.op == Opcode::Eq || operation.op == Opcode::Ne) && function_[left].op == Opcode::And &&
          is_single_use_here(left, block)) {
        folded_[left.index] = 1;
        for (const ir::Value part : function_[left].operands) {
          if (part && is_folded_load(part)) folded_[part.index] = 0;  // it was to be an operand of the `and`
        }
        return;
      }
      for (const ir::Value operand : {left, operation.operands[1]}) {
        if (is_folded_load(operand)) folded_[operand.index] = 0;  // by the comparison where it stands
      }
      fold_compared(operation, epochs, epoch, block);
    }
    return;
  }
}

}  // namespace mangata::jit::quick::x64
