#include "jit/passes/variables_to_values.h"

#include <vector>

#include "jit/ir/block_order.h"
#include "jit/passes/operands.h"
#include "jit/passes/split_edge.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Opcode;
using ir::Operation;
using ir::Value;

/// One bit for each variable.
class Bits {
 public:
  explicit Bits(size_t count) : words_((count + 63) / 64) {}
  bool test(size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  /// Adds what `from` has and `without` lacks; whether that is something new.
  bool add(const Bits& from, const Bits& without) {
    bool changes = false;
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t sum = words_[i] | (from.words_[i] & ~without.words_[i]);
      changes |= sum != words_[i];
      words_[i] = sum;
    }
    return changes;
  }

 private:
  std::vector<uint64_t> words_;
};

class Rewriter {
 public:
  explicit Rewriter(ir::Function* function)
      : function_(*function), order_(*function), variables_(function->variables().size()), replaced_(function->value_count()) {
    for (uint32_t i = 0; i < replaced_.size(); ++i) replaced_[i] = {i};
  }

  void rewrite() {
    find_live();
    ends_.resize(function_.block_count());
    for (const BlockId block : order_.blocks()) walk(block);
    while (drop_trivial()) {
    }
    pass_arguments();
    for (const BlockId block : order_.blocks()) replace_operands(block);
    cut_unreachable();
    function_.forget_variables();
  }

 private:
  struct Parameter {
    uint32_t variable;
    Value value;
  };

  // --- which variables are read before they are assigned, at the beginning of each block
  void find_live() {
    const size_t count = function_.block_count();
    live_.assign(count, Bits(variables_));
    std::vector<Bits> assigned(count, Bits(variables_));
    for (const BlockId block : order_.blocks()) {
      const auto read = [&](uint64_t variable) {
        if (!assigned[block.index].test(variable)) live_[block.index].set(variable);
      };
      for (const Value value : function_[block].operations) {
        const Operation& operation = function_[value];
        if (operation.op == Opcode::SetVariable) assigned[block.index].set(operation.immediate);
        if (operation.op == Opcode::GetVariable) read(operation.immediate);
        name_values(value, [&](Value variable) { return read(function_[variable].immediate), variable; });
      }
    }
    const std::span<const BlockId> blocks = order_.blocks();
    for (bool changes = true; changes;) {
      changes = false;
      for (size_t i = blocks.size(); i-- > 0;) {
        const BlockId block = blocks[i];
        const Operation& end = function_[function_.terminator(block)];
        for (size_t number = 0; number < function_.target_count(end); ++number) {
          changes |= live_[block.index].add(live_[function_.target(end, number).index], assigned[block.index]);
        }
      }
    }
  }

  // --- what variables hold
  /// In the order of BlockOrder: of a predecessor that comes later, nothing is known yet.
  bool is_walked(BlockId block) const { return !ends_[block.index].empty(); }

  std::vector<Value> at_beginning(BlockId block) {
    const std::span<const BlockId> predecessors = order_.predecessors(block);
    if (predecessors.empty()) return std::vector<Value>(variables_);
    bool all_walked = true;
    for (const BlockId from : predecessors) all_walked &= is_walked(from);
    std::vector<Value> holds(variables_);
    for (uint32_t variable = 0; variable < variables_; ++variable) {
      if (predecessors.size() == 1) {
        holds[variable] = ends_[predecessors[0].index][variable];
        continue;
      }
      if (!live_[block.index].test(variable)) continue;
      Value same = all_walked ? ends_[predecessors[0].index][variable] : Value{};
      for (const BlockId from : predecessors) {
        if (same && ends_[from.index][variable] != same) same = {};
      }
      holds[variable] = same ? same : add_parameter(block, variable);
    }
    return holds;
  }

  /// It is in no block's list until it is known to be needed.
  Value add_parameter(BlockId block, uint32_t variable) {
    const Value value = function_.add({.op = Opcode::BlockParameter, .type = function_.variables()[variable]});
    replaced_.push_back(value);
    parameters_.resize(function_.block_count());
    parameters_[block.index].push_back({variable, value});
    return value;
  }

  void walk(BlockId block) {
    std::vector<Value> holds = at_beginning(block);
    std::vector<Value> kept;
    kept.reserve(function_[block].operations.size());
    const auto held = [&](Value read) {
      const auto variable = static_cast<size_t>(function_[read].immediate);
      if (!holds[variable]) holds[variable] = undefined(function_.type_of(read));
      return holds[variable];
    };
    for (const Value value : function_[block].operations) {
      const Operation& operation = function_[value];  // until something is added
      if (operation.op == Opcode::SetVariable) {
        holds[operation.immediate] = resolved(operation.operands[0]);
      } else if (operation.op == Opcode::GetVariable) {
        const Value found = held(value);
        replaced_[value.index] = found;
      } else {
        name_values(value, held);
        kept.push_back(value);
      }
    }
    function_[block].operations = std::move(kept);
    if (holds.empty()) holds.push_back({});  // so that it counts as walked
    ends_[block.index] = std::move(holds);
  }

  /// A store or jump gets what `value_of` gives for each variable that it names.
  template <typename ValueOf>
  void name_values(Value user, const ValueOf& value_of) {
    const auto named = [&](Value operand) { return function_[operand].op == Opcode::Variable ? value_of(operand) : operand; };
    if (function_[user].op == Opcode::Store) {
      const Value stored = named(function_[user].operands[0]);  // which may move operations
      function_[user].operands[0] = stored;
    } else if (function_[user].op == Opcode::Jump) {
      for (Value& operand : function_.list(function_[user])) operand = named(operand);
    }
  }

  /// At the beginning of the entry, one for each type.
  Value undefined(ir::Type type) {
    Value& value = undefined_[static_cast<size_t>(type)];
    if (!value) {
      value = function_.add({.op = Opcode::Undefined, .type = type});
      replaced_.push_back(value);
    }
    return value;
  }

  Value resolved(Value value) {
    while (replaced_[value.index] != value) {
      Value& next = replaced_[value.index];
      next = replaced_[next.index];
      value = next;
    }
    return value;
  }

  // --- parameters
  /// What comes to the parameter along the edge from that block.
  Value argument(BlockId from, const Parameter& parameter) {
    Value& held = ends_[from.index][parameter.variable];
    if (!held) held = undefined(function_.variables()[parameter.variable]);
    return resolved(held);
  }

  bool is_dropped(const Parameter& parameter) const { return replaced_[parameter.value.index] != parameter.value; }

  /// Those that are always one other value are that one. Whether there were any.
  bool drop_trivial() {
    bool changes = false;
    parameters_.resize(function_.block_count());
    for (const BlockId block : order_.blocks()) {
      for (const Parameter& parameter : parameters_[block.index]) {
        if (is_dropped(parameter)) continue;
        Value same;
        bool differs = false;
        for (const BlockId from : order_.predecessors(block)) {
          const Value passed = argument(from, parameter);
          if (passed == parameter.value || passed == same) continue;
          differs |= same.is_valid();
          same = passed;
        }
        if (differs || !same) continue;
        replaced_[parameter.value.index] = same;
        changes = true;
      }
    }
    return changes;
  }

  void pass_arguments() {
    for (const BlockId block : order_.blocks()) {
      for (const Parameter& parameter : parameters_[block.index]) {
        if (!is_dropped(parameter)) function_.append_block_parameter(block, parameter.value);
      }
    }
    for (const BlockId block : order_.blocks()) {
      const Value end = function_.terminator(block);
      for (size_t number = 0; number < function_.target_count(function_[end]); ++number) pass_arguments(block, end, number);
    }
  }

  void pass_arguments(BlockId block, Value end, size_t number) {
    const BlockId target = function_.target(function_[end], number);
    std::vector<Value> arguments;
    for (const Parameter& parameter : parameters_[target.index]) {
      if (!is_dropped(parameter)) arguments.push_back(argument(block, parameter));
    }
    if (arguments.empty()) return;
    if (function_[end].op == Opcode::Jump) {
      const std::span<const Value> before = function_.list(function_[end]);
      arguments.insert(arguments.begin(), before.begin(), before.end());
      return function_.set_list(&function_[end], arguments);
    }
    const BlockId edge = split_edge(&function_, block, number);
    function_.set_list(&function_[function_.terminator(edge)], arguments);
  }

  void replace_operands(BlockId block) {
    for (const Value value : function_[block].operations) {
      for_each_operand(function_, function_[value], [&](Value& operand) { operand = resolved(operand); });
    }
  }

  void cut_unreachable() {
    for (uint32_t i = 0; i < ends_.size(); ++i) {
      if (order_.is_reachable({i})) continue;
      function_[BlockId{i}].operations = {function_.add({.op = Opcode::Unreachable})};
    }
    std::vector<Value>& entry = function_[BlockId{0}].operations;
    for (const Value value : undefined_) {
      if (value) entry.insert(entry.begin(), value);
    }
  }

  ir::Function& function_;
  const ir::BlockOrder order_;
  const size_t variables_;
  std::vector<Value> replaced_;                ///< by value: itself, or what it is
  std::vector<Bits> live_;                     ///< by block
  std::vector<std::vector<Value>> ends_;       ///< by block and variable: what it holds at the end; invalid: anything
  std::vector<std::vector<Parameter>> parameters_;  ///< by block: those that were added
  Value undefined_[ir::kTypes] = {};
};

}  // namespace

void variables_to_values(ir::Function* function) {
  if (!function->variables().empty()) Rewriter(function).rewrite();
}

}  // namespace mangata::jit
