#include "jit/passes/conjunctions.h"

#include <algorithm>
#include <vector>

#include "jit/passes/operands.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Effect;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

class Conjunctions {
 public:
  explicit Conjunctions(Function* function) : function_(*function) {}

  void split() {
    if (!any_conjunction()) return;
    find_uses();
    for (uint32_t i = 0; i < function_.block_count(); ++i) {  // also those that are added
      if (!function_[BlockId{i}].is_cold) split({i});
    }
  }

 private:
  /// Of a branch on two conditions, both of which become part of branches.
  bool is_split(Value condition) const {
    const Operation& operation = function_[condition];
    if (operation.op != Opcode::And && operation.op != Opcode::Or) return false;
    return operation.type == Type::Bool && is_compared(operation.operands[0]) && is_compared(operation.operands[1]);
  }
  static bool is_compared(const Operation& operation) {
    return (operation.op >= Opcode::Eq && operation.op <= Opcode::FNe) || ((operation.op == Opcode::And || operation.op == Opcode::Or) && operation.type == Type::Bool);
  }
  bool is_compared(Value value) const { return is_compared(function_[value]); }

  bool any_conjunction() const {
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      const Value end = function_.terminator({i});
      if (function_[end].op == Opcode::Branch && !function_[BlockId{i}].is_cold && is_split(function_[end].operands[0])) return true;
    }
    return false;
  }

  void find_uses() {
    uses_ = count_uses(function_);
    block_of_.assign(function_.value_count(), {});
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      for (const Value value : function_[BlockId{i}].operations) block_of_[value.index] = {i};
    }
  }

  bool is_only_here(Value value, BlockId block) const { return uses_[value.index] == 1 && block_of_[value.index] == block; }

  void split(BlockId block) {
    bool changes = false;
    for (;;) {
      const Value end = function_.terminator(block);
      if (function_[end].op != Opcode::Branch) break;
      const Value condition = function_[end].operands[0];
      if (!is_split(condition) || !is_only_here(condition, block)) break;
      const Value first = function_[condition].operands[0], second = function_[condition].operands[1];
      if (first == second || !is_only_here(first, block) || !is_only_here(second, block)) break;
      if (!changes) find_last_write(block);
      changes = true;
      split(block, end, condition);
    }
    if (!changes) return;
    std::erase_if(function_[block].operations, [&](Value value) { return block_of_[value.index] != block; });
  }

  /// Loads in front of it stay there.
  void find_last_write(BlockId block) {
    const std::vector<Value>& operations = function_[block].operations;
    first_movable_ = operations.size();
    while (first_movable_ > 0) {
      const Effect effect = ir::info_of(function_[operations[first_movable_ - 1]].op).effect;
      if (effect == Effect::Writes || effect == Effect::Calls) break;
      --first_movable_;
    }
    is_movable_load_.clear();
    for (size_t i = first_movable_; i < operations.size(); ++i) {
      const Operation& operation = function_[operations[i]];
      if (operation.op == Opcode::Load && !operation.is_volatile) is_movable_load_.push_back(operations[i]);
    }
  }

  void split(BlockId block, Value end, Value condition) {
    const BlockId behind = function_.add_block("and", false);
    const Operation both = function_[condition];
    Operation second = function_[end];  // a copy: its weights are for both
    second.operands[0] = both.operands[1];
    move(both.operands[1], block, behind);
    const Value second_end = function_.add(second);
    function_[behind].operations.push_back(second_end);
    uses_.push_back(0), block_of_.push_back(behind);
    block_of_[condition.index] = {};  // it goes
    function_[end].operands[0] = both.operands[0];
    function_.set_target(&function_[end], both.op == Opcode::And ? 0 : 1, behind);
  }

  /// With what it is computed from, as far as nothing else needs that.
  void move(Value value, BlockId from, BlockId to) {
    const Operation& operation = function_[value];
    for (const Value operand : operation.operands) {
      if (!operand || !is_only_here(operand, from)) continue;
      const bool moves = is_compared(operand) || function_[operand].op == Opcode::And ||
                         std::find(is_movable_load_.begin(), is_movable_load_.end(), operand) != is_movable_load_.end();
      if (moves) move(operand, from, to);
    }
    block_of_[value.index] = to;
    function_[to].operations.push_back(value);
  }

  Function& function_;
  std::vector<uint32_t> uses_;       ///< by value
  std::vector<BlockId> block_of_;    ///< by value
  size_t first_movable_ = 0;
  std::vector<Value> is_movable_load_;
};

}  // namespace

void split_conjunctions(ir::Function* function) { Conjunctions(function).split(); }

}  // namespace mangata::jit
