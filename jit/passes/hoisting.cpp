#include "jit/passes/hoisting.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "jit/ir/block_order.h"
#include "jit/passes/memory_effects.h"
#include "jit/passes/natural_loop.h"
#include "jit/passes/operands.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Effect;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Shape;
using ir::Value;

constexpr int kMostValues = 10;      ///< of a loop, that move
constexpr size_t kLongestExit = 32;  ///< in operations

bool is_folded_into_its_use(const Operation& operation) { return operation.type == ir::Type::Bool || operation.op == Opcode::Address; }

/// It takes no instruction, nor a register of its own.
bool is_free(const Operation& operation) {
  return operation.op == Opcode::IntegerToPointer || operation.op == Opcode::PointerToInteger || operation.op == Opcode::ZExt;
}

class Hoisting {
 public:
  explicit Hoisting(Function* function) : function_(*function), order_(*function) {}

  void run() {
    const std::vector<BlockId> heads = loop_heads(order_);
    if (heads.empty()) return;
    find_blocks();
    for (size_t i = heads.size(); i-- > 0;) {
      if (std::exchange(changes_, false)) order_ = ir::BlockOrder(function_);
      if (!function_[heads[i]].is_cold) hoist_from(heads[i]);
    }
  }

 private:
  void find_blocks() {
    block_of_.resize(function_.value_count());
    for (const BlockId block : order_.blocks()) {
      for (const Value value : function_[block].parameters) block_of_[value.index] = block;
      for (const Value value : function_[block].operations) block_of_[value.index] = block;
    }
  }

  // --- the loop
  bool is_in_loop(BlockId block) const { return loop_.has(block); }
  bool is_invariant(Value value) const { return value.index >= block_of_.size() || !block_of_[value.index] || !is_in_loop(block_of_[value.index]); }
  bool is_invariant(const Operation& operation) const {
    return std::all_of(operation.operands.begin(), operation.operands.begin() + ir::operand_count(ir::info_of(operation.op).shape), [&](Value operand) {
      return !operand || is_invariant(operand);
    });
  }

  void hoist_from(BlockId head) {
    moved_ = 0;
    preheader_ = {};
    if (!loop_.find(function_, order_, head)) return;
    written_ = 0;
    for (const BlockId block : loop_.blocks()) written_ |= written_in(block);
    std::vector<BlockId> way;
    for (BlockId block = head; block;) {
      way.push_back(block);
      const Value end = function_.terminator(block);
      const std::vector<Value> operations = function_[block].operations;
      const bool all_passed = std::all_of(operations.begin(), operations.end() - 1, [&](Value value) { return pass(value); });
      block = all_passed ? pass_terminator(end) : BlockId{};
    }
    for (const BlockId block : way) {
      std::erase_if(function_[block].operations, [&](Value value) { return block_of_[value.index] != block; });
    }
  }

  uint32_t written_in(BlockId block) const {
    uint32_t written = 0;
    for (const Value value : function_[block].operations) written |= written_by(function_[value]);
    return written;
  }

  // --- the way through an iteration
  /// Moves the operation if it may move. False: what comes behind it stays.
  bool pass(Value value) {
    const Operation& operation = function_[value];
    const ir::OperationInfo& info = ir::info_of(operation.op);
    if (info.shape == Shape::Area || info.shape == Shape::Second || info.shape == Shape::Result) return false;
    if (info.effect != Effect::Pure && (info.effect != Effect::Reads || operation.is_volatile)) return false;
    if (!is_invariant(operation)) return true;
    if (info.effect == Effect::Reads && (written_ & class_bit(operation.memory)) != 0) return true;
    if (is_folded_into_its_use(operation) || (!is_free(operation) && moved_ >= kMostValues)) return true;
    if (!is_free(operation)) ++moved_;
    move_in_front(value);
    return true;
  }

  void move_in_front(Value value) {
    const BlockId block = preheader();
    std::vector<Value>& operations = function_[block].operations;
    operations.insert(operations.end() - 1, value);
    block_of_[value.index] = block;
  }

  /// With what it is computed from, as far as that is only there to be part of it.
  void move_condition_in_front(Value value) {
    if (is_invariant(value)) return;
    const Operation operation = function_[value];
    for (const Value operand : operation.operands) {
      if (operand) move_condition_in_front(operand);
    }
    move_in_front(value);
  }

  /// Of a condition: nothing that it is computed from depends on the iteration.
  bool is_invariant_condition(Value value, int depth = 6) const {
    if (is_invariant(value)) return true;
    const Operation& operation = function_[value];
    if (depth == 0 || !is_folded_into_its_use(operation) || ir::info_of(operation.op).effect != Effect::Pure || operation.op == Opcode::BlockParameter) return false;
    for (int i = 0; i < ir::operand_count(ir::info_of(operation.op).shape); ++i) {
      const Value operand = operation.operands[static_cast<size_t>(i)];
      if (operand && !is_invariant_condition(operand, depth - 1)) return false;
    }
    return true;
  }

  /// Where the way goes on; invalid: nowhere.
  BlockId pass_terminator(Value end) {
    const auto goes_on = [&](BlockId next) {
      return is_in_loop(next) && next != loop_.head() && function_[next].parameters.empty() && order_.predecessors(next).size() == 1 ? next : BlockId{};
    };
    if (function_[end].op == Opcode::Jump) return goes_on(function_.target(function_[end], 0));
    if (function_[end].op != Opcode::Branch) return {};
    for (size_t arm = 0; arm < 2; ++arm) {
      const BlockId stays = function_.target(function_[end], arm), leaves = function_.target(function_[end], 1 - arm);
      if (is_in_loop(leaves) || !goes_on(stays)) continue;
      const bool is_rare = uint64_t{Function::weight_of(function_[end], static_cast<int>(1 - arm))} * 512 < Function::weight_of(function_[end], static_cast<int>(arm));
      if (!is_rare && !function_[leaves].is_cold) return {};
      if (!is_invariant_condition(function_[end].operands[0]) || !is_exit(leaves)) return {};
      hoist_guard(end, arm, leaves);
      return stays;
    }
    return {};
  }

  // --- guards
  /// Something that can be made once more, for the first iteration.
  bool is_exit(BlockId block) const {
    const std::vector<Value>& operations = function_[block].operations;
    if (operations.size() > kLongestExit || !function_[block].parameters.empty()) return false;
    const Operation& end = function_[function_.terminator(block)];
    if (end.op == Opcode::Return || end.op == Opcode::Unreachable) return true;
    if (end.op != Opcode::Jump) return false;
    const BlockId next = function_.target(end, 0);
    if (!loop_.knows(next) || is_in_loop(next) || next == block) return false;
    return !order_.dominates(loop_.head(), next) || is_behind_exits(next);
  }

  /// Only jumps lead there, and it leads to nothing that knows the loop.
  bool is_behind_exits(BlockId block) const {
    for (const BlockId from : order_.predecessors(block)) {
      if (function_[function_.terminator(from)].op != Opcode::Jump) return false;
    }
    const Operation& end = function_[function_.terminator(block)];
    for (size_t i = 0; i < function_.target_count(end); ++i) {
      const BlockId next = function_.target(end, i);
      if (!loop_.knows(next) || order_.dominates(loop_.head(), next)) return false;
    }
    return true;
  }

  void hoist_guard(Value end, size_t arm, BlockId exit) {
    const BlockId before = preheader();
    move_condition_in_front(function_[end].operands[0]);
    const BlockId copy = copy_exit(exit);
    const BlockId behind = function_.add_block("preheader", false);
    const Value jump = function_.terminator(before);
    Operation guard = function_[end];
    function_.set_target(&guard, arm, behind);
    function_.set_target(&guard, 1 - arm, copy);
    function_[before].operations.back() = add(guard, before);
    function_[behind].operations.push_back(jump);
    block_of_[jump.index] = behind;
    preheader_ = behind;
    Operation goes_on{.place = function_[end].place, .op = Opcode::Jump};
    function_.set_target(&goes_on, 0, function_.target(function_[end], arm));
    function_[end] = goes_on;
    changes_ = true;
  }

  BlockId copy_exit(BlockId exit) {
    const Value end = function_.terminator(exit);
    if (function_[end].op == Opcode::Jump) {
      const BlockId next = function_.target(function_[end], 0);
      if (order_.dominates(loop_.head(), next)) pass_as_arguments(exit, next);
    }
    const BlockId copy = function_.add_block(function_[exit].name, true);
    copies_.clear();
    const std::vector<Value> operations = function_[exit].operations;
    for (const Value value : operations) {  // in front of what the exit writes to memory
      const Operation operation = function_[value];
      for (int i = 0; i < ir::operand_count(ir::info_of(operation.op).shape); ++i) make_for_exit(operation.operands[static_cast<size_t>(i)], exit, copy);
      if (!ir::has_list(ir::info_of(operation.op).shape)) continue;
      for (uint32_t i = 0; i < operation.list_count; ++i) make_for_exit(function_.list(operation)[i], exit, copy);
    }
    for (const Value value : operations) copies_.emplace_back(value, copy_operation(value, copy));
    return copy;
  }

  /// Gives `block` parameters for what it uses of the loop, and of the exit that leads there.
  void pass_as_arguments(BlockId exit, BlockId block) {
    std::vector<std::pair<Value, Value>> passed;
    const auto parameter_for = [&](Value value) {
      for (const auto& [used, parameter] : passed) {
        if (used == value) return parameter;
      }
      const Value parameter = function_.add_block_parameter(block, function_.type_of(value));
      set_block(parameter, block);
      passed.emplace_back(value, parameter);
      return parameter;
    };
    const std::vector<Value> operations = function_[block].operations;
    for (const Value value : operations) {
      std::vector<std::pair<Value, Value>> changed;
      for_each_operand(function_, function_[value], [&](const Value& operand) {
        if (operand.index < block_of_.size() && (!is_invariant(operand) || block_of_[operand.index] == exit)) changed.emplace_back(operand, Value{});
      });
      for (auto& [from, to] : changed) to = parameter_for(from);
      for_each_operand(function_, function_[value], [&](Value& operand) {
        for (const auto& [from, to] : changed) {
          if (operand == from) return void(operand = to);
        }
      });
    }
    if (passed.empty()) return;
    for (const BlockId from : order_.predecessors(block)) {
      const Value jump = function_.terminator(from);
      const std::span<const Value> before = function_.list(function_[jump]);
      std::vector<Value> arguments(before.begin(), before.end());
      for (const auto& [value, parameter] : passed) arguments.push_back(value);
      function_.set_list(&function_[jump], arguments);
    }
  }

  void make_for_exit(Value value, BlockId exit, BlockId copy) {
    if (value && (value.index >= block_of_.size() || block_of_[value.index] != exit)) in_first_iteration(value, copy);
  }

  /// What the value is in the first iteration; made in `block` if need be.
  Value in_first_iteration(Value value, BlockId block) {
    for (const auto& [original, copy] : copies_) {
      if (original == value) return copy;
    }
    if (is_invariant(value)) return value;
    Value first;
    if (function_[value].op == Opcode::BlockParameter) {
      first = function_.list(function_[function_.terminator(preheader_)])[static_cast<uint32_t>(function_[value].immediate)];
    } else {
      first = copy_operation(value, block);
    }
    copies_.emplace_back(value, first);
    return first;
  }

  Value copy_operation(Value value, BlockId block) {
    Operation copy = function_[value];
    for (int i = 0; i < ir::operand_count(ir::info_of(copy.op).shape); ++i) {
      Value& operand = copy.operands[static_cast<size_t>(i)];
      if (operand) operand = in_first_iteration(operand, block);
    }
    if (ir::has_list(ir::info_of(copy.op).shape)) {
      const std::span<const Value> list = function_.list(copy);
      std::vector<Value> values(list.begin(), list.end());
      for (Value& each : values) each = in_first_iteration(each, block);
      function_.set_list(&copy, values);
    }
    const Value made = add(copy, block);
    function_[block].operations.push_back(made);
    return made;
  }

  // --- in front of the loop
  /// A block that leads to the loop and nowhere else.
  BlockId preheader() {
    if (preheader_) return preheader_;
    if (loop_.entries().size() == 1 && function_[function_.terminator(loop_.entries()[0])].op == Opcode::Jump) return preheader_ = loop_.entries()[0];
    preheader_ = function_.add_block("preheader", false);
    std::vector<Value> arguments;
    for (size_t i = 0; i < function_[loop_.head()].parameters.size(); ++i) {
      arguments.push_back(function_.add_block_parameter(preheader_, function_.type_of(function_[loop_.head()].parameters[i])));
      set_block(arguments.back(), preheader_);
    }
    for (const BlockId entry : loop_.entries()) {
      Operation& end = function_[function_.terminator(entry)];
      for (size_t i = 0; i < function_.target_count(end); ++i) {
        if (function_.target(end, i) == loop_.head()) function_.set_target(&end, i, preheader_);
      }
    }
    Operation jump{.op = Opcode::Jump};
    function_.set_list(&jump, arguments);
    function_.set_target(&jump, 0, loop_.head());
    function_[preheader_].operations.push_back(add(jump, preheader_));
    changes_ = true;
    return preheader_;
  }

  Value add(const Operation& operation, BlockId block) {
    const Value value = function_.add(operation);
    set_block(value, block);
    return value;
  }
  void set_block(Value value, BlockId block) {
    if (value.index >= block_of_.size()) block_of_.resize(value.index + 1);
    block_of_[value.index] = block;
  }

  Function& function_;
  ir::BlockOrder order_;
  bool changes_ = false;            ///< blocks, since order_ was made
  std::vector<BlockId> block_of_;   ///< by value
  // of the loop
  BlockId preheader_;
  NaturalLoop loop_;
  uint32_t written_ = 0;
  int moved_ = 0;
  std::vector<std::pair<Value, Value>> copies_;  ///< of one exit
};

}  // namespace

void hoist_invariants(Function* function) { Hoisting(function).run(); }

}  // namespace mangata::jit
