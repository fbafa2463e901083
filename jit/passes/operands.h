// Values that operations read, exchanged for others.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/ir/operands.h"

namespace mangata::jit {

/// By value: how many operands it is, in all blocks.
inline std::vector<uint32_t> count_uses(const ir::Function& function) {
  std::vector<uint32_t> uses(function.value_count());
  for (uint32_t i = 0; i < function.block_count(); ++i) {
    for (const ir::Value value : function[ir::BlockId{i}].operations) {
      for_each_operand(function, function[value], [&](const ir::Value& operand) { ++uses[operand.index]; });
    }
  }
  return uses;
}

/// What stands for a value that a pass has found to be another one.
class Replacements {
 public:
  explicit Replacements(size_t values) : by_(values) {}
  void replace(ir::Value value, ir::Value by) {
    if (value.index >= by_.size()) by_.resize(value.index + 1);
    by_[value.index] = by;
    any_ = true;
  }
  bool any() const { return any_; }
  bool has(ir::Value value) const { return value.index < by_.size() && by_[value.index]; }
  ir::Value find(ir::Value value) {
    if (!has(value)) return value;
    ir::Value last = value;
    while (has(last)) last = by_[last.index];
    while (value != last) {
      const ir::Value next = by_[value.index];
      by_[value.index] = last;
      value = next;
    }
    return last;
  }
  /// In all operations of all blocks.
  void apply(ir::Function* function) {
    if (!any_) return;
    for (uint32_t i = 0; i < function->block_count(); ++i) {
      for (const ir::Value value : (*function)[ir::BlockId{i}].operations) {
        for_each_operand(*function, (*function)[value], [&](ir::Value& operand) { operand = find(operand); });
      }
    }
  }

 private:
  std::vector<ir::Value> by_;
  bool any_ = false;
};

}  // namespace mangata::jit
