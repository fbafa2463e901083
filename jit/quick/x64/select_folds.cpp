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
      const ir::Operation& its = function_[value];
      const ir::Shape shape = ir::info_of(its.op).shape;
      block_of_[value.index] = entry.block;
      ir::for_each_operand(function_, its, [&](ir::Value operand) { ++uses_[operand.index]; });
      if (shape == ir::Shape::Load) ++address_uses_[its.operands[0].index];
      if (shape == ir::Shape::Store) ++address_uses_[its.operands[1].index];
    }
  }
}

void Selector::find_folds() {
  std::vector<uint32_t> epochs(function_.value_count(), 0);  // of loads: how many writes came before them
  uint32_t epoch = 0;
  for (const BlockOrder::Entry& entry : order_.entries) {
    ++epoch;
    for (const ir::Value value : function_[entry.block].operations) {
      const ir::Operation& its = function_[value];
      const ir::Effect effect = ir::info_of(its.op).effect;
      if (its.op == Opcode::Load) epochs[value.index] = epoch;
      find_folds_of(value, epochs, epoch, entry.block);
      if (effect == ir::Effect::Writes || effect == ir::Effect::Calls) ++epoch;
    }
  }
}

void Selector::find_folds_of(ir::Value value, std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  const ir::Operation& its = function_[value];
  switch (its.op) {
    case Opcode::Address: {
      if (uses_[value.index] == 0 || uses_[value.index] != address_uses_[value.index]) return;
      const uint64_t offset = its.immediate + 0x20000000u;
      const bool is_simple = !its.operands[1] || its.list_count == 1 || its.list_count == 2 || its.list_count == 4 || its.list_count == 8;
      if (offset < 0x40000000u && (is_simple || (uses_[value.index] == 1 && (its.list_count == 16 || its.list_count == 32)))) folded_[value.index] = 1;
      return;
    }
    case Opcode::Branch:
    case Opcode::Select:
      return fold_condition(its.operands[0], epochs, epoch, block);
    default:
      break;
  }
  if (takes_memory(its.op) || takes_float_memory(its.op)) {
    const ir::Type type = its.type;
    if (type != ir::Type::I64 && type != ir::Type::I32 && type != ir::Type::F64) return;
    if (its.op == Opcode::Sub && function_.constant_of(its.operands[0]) == 0) return;  // it becomes a negation
    fold_load(its.operands[1], epochs, epoch, block);
    if (!is_folded_load(its.operands[1]) && ir::is_commutative(its.op) && !function_.is_constant(its.operands[1])) {
      fold_load(its.operands[0], epochs, epoch, block);
    }
  } else if (compares_integers(its.op)) {
    fold_compared(its, epochs, epoch, block);
  } else if (its.op == Opcode::SExt && function_.type_of(its.operands[0]) != ir::Type::Bool) {
    fold_load(its.operands[0], epochs, epoch, block);
  }
}

bool Selector::may_fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) const {
  const ir::Operation& its = function_[load];
  if (its.op != Opcode::Load || its.is_volatile || !is_single_use_here(load, block) || epochs[load.index] != epoch) return false;
  const ir::Value pointer = its.operands[0];
  return function_[pointer].op != Opcode::Address || !is_folded(pointer) || !function_[pointer].operands[1] || function_[pointer].list_count <= 8;
}

void Selector::fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  if (may_fold_load(load, epochs, epoch, block)) folded_[load.index] = 1;
}

void Selector::fold_compared(const ir::Operation& its, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  fold_load(its.operands[1], epochs, epoch, block);
  if (!is_folded_load(its.operands[1])) fold_load(its.operands[0], epochs, epoch, block);
}

/// A comparison that only this branch or choice wants, and a load in it.
void Selector::fold_condition(ir::Value condition, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) {
  while (is_single_use_here(condition, block)) {
    const ir::Operation& its = function_[condition];
    if (its.op == Opcode::Xor && its.type == ir::Type::Bool && function_.constant_of(its.operands[1])) {
      folded_[condition.index] = 1;
      condition = its.operands[0];
      continue;
    }
    if (compares_floats(its.op)) {
      folded_[condition.index] = 1;
    } else if (compares_integers(its.op)) {
      folded_[condition.index] = 1;
      const std::optional<uint64_t> zero = function_.constant_of(its.operands[1]);
      const ir::Value left = its.operands[0];
      if (zero && *zero == 0 && (its.op == Opcode::Eq || its.op == Opcode::Ne) && function_[left].op == Opcode::And &&
          is_single_use_here(left, block)) {
        folded_[left.index] = 1;
        for (const ir::Value part : function_[left].operands) {
          if (part && is_folded_load(part)) folded_[part.index] = 0;  // it was to be an operand of the `and`
        }
        return;
      }
      for (const ir::Value operand : {left, its.operands[1]}) {
        if (is_folded_load(operand)) folded_[operand.index] = 0;  // by the comparison where it stands
      }
      fold_compared(its, epochs, epoch, block);
    }
    return;
  }
}

}  // namespace mangata::jit::quick::x64
