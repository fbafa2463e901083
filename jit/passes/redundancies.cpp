#include "jit/passes/redundancies.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "jit/ir/block_order.h"
#include "jit/ir/fold.h"
#include "jit/ir/numbering.h"
#include "jit/passes/memory_effects.h"
#include "jit/passes/operands.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Effect;
using ir::Opcode;
using ir::Operation;
using ir::Value;

/// To be made again rather than kept: it becomes part of what uses it.
bool is_cheap(const Operation& operation) { return operation.type == ir::Type::Bool || operation.op == Opcode::Address; }

class Redundancies {
 public:
  explicit Redundancies(ir::Function* function)
      : function_(*function),
        order_(*function),
        values_(function->value_count()),
        versions_(function->block_count()),
        written_(function->block_count(), 0),
        seen_(function->block_count(), ir::BlockId{}),
        replacements_(values_),
        numbers_(values_),
        facts_(values_) {
    for (uint32_t i = 0; i < values_; ++i) numbers_[i] = {i};
    size_t size = 256;
    while (size < 2 * values_) size *= 2;
    table_.resize(size);
  }

  void remove() {
    for (const BlockId block : order_.blocks()) {
      for (const Value value : function_[block].operations) written_[block.index] |= written_by(function_[value]);
    }
    for (const BlockId block : order_.blocks()) {
      begin(block);
      unite_parameters(block);
      walk(block);
    }
  }

 private:
  using Versions = std::array<uint32_t, ir::kMemoryClasses>;
  struct Known {
    uint64_t hash = 0;
    Value key;    ///< the operation; of a store, the store
    Value value;  ///< what its value is
    BlockId block;
    uint32_t version = 0;
  };
  struct Fact {
    BlockId block;  ///< where it holds: all that is dominated by it
    bool holds = false;
  };

  // --- memory
  void begin(BlockId block) {
    Versions& versions = versions_[block.index];
    const std::span<const BlockId> predecessors = order_.predecessors(block);
    if (predecessors.empty()) return versions.fill(++last_version_);
    uint32_t fresh = 0;
    BlockId first;
    for (const BlockId from : predecessors) {
      if (order_.number_of(from) >= order_.number_of(block)) {
        fresh |= order_.dominates(block, from) ? written_in_loop(block, from) : kAllClasses;
      } else if (!first) {
        first = from;
      }
    }
    for (size_t i = 0; i < ir::kMemoryClasses; ++i) {
      bool is_same = (fresh >> i & 1) == 0;
      versions[i] = versions_[first.index][i];
      for (const BlockId from : predecessors) {
        if (order_.number_of(from) < order_.number_of(block)) is_same = is_same && versions_[from.index][i] == versions[i];
      }
      if (!is_same) versions[i] = ++last_version_;
    }
  }

  uint32_t written_in_loop(BlockId head, BlockId end) {
    uint32_t written = written_[head.index];
    seen_[head.index] = head;
    std::vector<BlockId> pending;
    const auto add = [&](BlockId block) {
      if (std::exchange(seen_[block.index], head) != head) pending.push_back(block);
    };
    add(end);
    while (!pending.empty()) {
      const BlockId block = pending.back();
      pending.pop_back();
      written |= written_[block.index];
      for (const BlockId from : order_.predecessors(block)) add(from);
    }
    return written;
  }

  // --- parameters
  /// Two to which the same comes along each edge are one. Of edges that lead back, what comes may not have been looked at yet.
  void unite_parameters(BlockId block) {
    const std::span<const Value> parameters = function_[block].parameters;
    const std::span<const BlockId> predecessors = order_.predecessors(block);
    if (parameters.size() < 2 || predecessors.empty()) return;
    const auto argument = [&](BlockId from, size_t number) {
      return number_of(replacements_.find(function_.list(function_[function_.terminator(from)])[number]));
    };
    std::vector<Value> first(parameters.size());
    for (size_t i = 0; i < parameters.size(); ++i) first[i] = argument(predecessors.front(), i);
    for (size_t i = 1; i < parameters.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (first[i] != first[j] || replacements_.has(parameters[j])) continue;
        const bool is_same = std::all_of(predecessors.begin(), predecessors.end(), [&](BlockId from) {
          const Value passed = argument(from, i), other = argument(from, j);
          return passed == other || (passed == parameters[i] && other == parameters[j]);
        });
        if (!is_same) continue;
        replace(parameters[i], parameters[j]);
        break;
      }
    }
  }

  // --- values
  Value number_of(Value value) const { return value.index < numbers_.size() ? numbers_[value.index] : value; }

  void replace(Value value, Value by) {
    replacements_.replace(value, by);
    numbers_[value.index] = number_of(by);
  }

  /// Of a Bool: a constant, where a branch has decided it.
  Value decided(Value value, BlockId block) {
    if (function_.type_of(value) != ir::Type::Bool) return {};
    const Value number = number_of(value);
    if (number.index >= facts_.size()) return {};
    for (size_t i = facts_[number.index].size(); i-- > 0;) {
      const Fact& fact = facts_[number.index][i];
      if (order_.dominates(fact.block, block)) return function_.constant(ir::Type::Bool, fact.holds ? 1 : 0);
    }
    return {};
  }

  void add_fact(Value value, bool holds, BlockId block, int depth = 4) {
    const Value number = number_of(value);
    if (function_.is_constant(number) || number.index >= facts_.size()) return;
    constexpr size_t kMostFacts = 8;
    std::vector<Fact>& facts = facts_[number.index];
    if (facts.size() == kMostFacts) facts.erase(facts.begin());
    facts.push_back({block, holds});
    const Operation operation = function_[value];
    if (depth == 0) return;
    if (operation.op == (holds ? Opcode::And : Opcode::Or)) {
      add_fact(operation.operands[0], holds, block, depth - 1);
      add_fact(operation.operands[1], holds, block, depth - 1);
    } else if (operation.op == Opcode::Xor && function_.constant_of(operation.operands[1]) == 1u) {
      add_fact(operation.operands[0], !holds, block, depth - 1);
    }
  }

  /// As it is compared: operands are numbers, a store is what a load there would be.
  Operation key_of(const Operation& operation) const {
    Operation key = operation;
    if (operation.op == Opcode::Store) {
      key.op = Opcode::Load;
      key.type = function_.type_of(operation.operands[0]);
      key.operands = {operation.operands[1], {}, {}};
    }
    for (Value& operand : key.operands) {
      if (operand) operand = number_of(operand);
    }
    if (ir::is_commutative(key.op) && key.type != ir::Type::F64 && key.operands[1] < key.operands[0]) std::swap(key.operands[0], key.operands[1]);
    return key;
  }

  /// The entry of that key; one that is empty: there is none.
  Known& entry(const Operation& key, uint64_t hash, uint32_t version) {
    size_t i = hash & (table_.size() - 1);
    for (; table_[i].key; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i].hash != hash || table_[i].version != version) continue;
      if (ir::Numbering::is_same(key_of(function_[table_[i].key]), key)) break;
    }
    return table_[i];
  }

  // --- the walk
  void walk(BlockId block) {
    const bool is_cold = function_[block].is_cold;
    std::vector<Value>& operations = function_[block].operations;
    size_t kept = 0;
    for (size_t i = 0; i < operations.size(); ++i) {
      const Value value = operations[i];
      for_each_operand(function_, function_[value], [&](Value& operand) { operand = replacements_.find(operand); });
      if (visit(value, block, is_cold)) operations[kept++] = value;
    }
    operations.resize(kept);
    end(block);
  }

  /// Whether it stays.
  bool visit(Value value, BlockId block, bool is_cold) {
    const ir::OperationInfo& info = ir::info_of(function_[value].op);
    switch (info.effect) {
      case Effect::Pure:
        if (is_cold || info.shape == ir::Shape::Area || info.shape == ir::Shape::Nullary) return true;
        return visit_pure(value, block);
      case Effect::Reads: return is_cold || function_[value].is_volatile || visit_load(value, block);
      case Effect::Writes: return visit_store(value, block, is_cold);
      case Effect::Calls: return write(written_by(function_[value]), block), true;
      case Effect::ReadsVariable:
      case Effect::WritesVariable:
      case Effect::ReadsStack:
      case Effect::Control: return true;
    }
    return true;
  }

  bool visit_pure(Value value, BlockId block) {
    if (const Value by = folded(value, block)) return replace(value, by), false;
    const Operation key = key_of(function_[value]);
    const uint64_t hash = ir::Numbering::hash_of(key);
    Known& known = entry(key, hash, 0);
    if (known.key && order_.dominates(known.block, block)) {
      if (is_cheap(key) && known.block != block) return numbers_[value.index] = number_of(known.value), true;
      return replace(value, known.value), false;
    }
    known = {hash, value, value, block, 0};
    return true;
  }

  Value folded(Value value, BlockId block) {
    const Operation before = function_[value];
    if (before.type == ir::Type::Bool || before.op == Opcode::Select) {
      for (size_t i = 0; i < before.operands.size(); ++i) {
        if (!before.operands[i]) continue;
        if (const Value constant = decided(before.operands[i], block)) function_[value].operands[i] = constant;
      }
    }
    const Operation copy = function_[value];
    if (const std::optional<uint64_t> bits = ir::fold_constants(function_, copy)) return function_.constant(copy.type, *bits);
    return ir::fold_identity(&function_, copy);
  }

  bool visit_load(Value value, BlockId block) {
    const Operation key = key_of(function_[value]);
    const uint32_t version = versions_[block.index][static_cast<size_t>(key.memory)];
    const uint64_t hash = ir::Numbering::hash_of(key) ^ version;
    Known& known = entry(key, hash, version);
    if (known.key && order_.dominates(known.block, block)) return replace(value, known.value), false;
    known = {hash, value, value, block, version};
    return true;
  }

  bool visit_store(Value value, BlockId block, bool is_cold) {
    const Operation& operation = function_[value];
    const auto memory = static_cast<size_t>(operation.memory);
    if (is_cold || operation.is_volatile) return write(written_by(operation), block), true;
    const Operation key = key_of(operation);
    const Value stored = operation.operands[0];
    const uint64_t hash = ir::Numbering::hash_of(key);
    const uint32_t before = versions_[block.index][memory];
    const Known& there = entry(key, hash ^ before, before);
    if (there.key && order_.dominates(there.block, block) && there.value == stored) return false;
    write(written_by(operation), block);
    const uint32_t version = versions_[block.index][memory];
    entry(key, hash ^ version, version) = {hash ^ version, value, stored, block, version};
    return true;
  }

  void write(uint32_t classes, BlockId block) {
    if (classes == 0) return;
    ++last_version_;
    for (size_t i = 0; i < ir::kMemoryClasses; ++i) {
      if ((classes >> i & 1) != 0) versions_[block.index][i] = last_version_;
    }
  }

  void end(BlockId block) {
    const Value end = function_.terminator(block);
    if (function_[end].op != Opcode::Branch) return;
    const Value condition = function_[end].operands[0];
    Value known = decided(condition, block);
    if (!known && function_.is_constant(condition)) known = condition;
    const BlockId targets[] = {function_.target(function_[end], 0), function_.target(function_[end], 1)};
    if (known) {
      Operation jump{.place = function_[end].place, .op = Opcode::Jump};
      function_.set_target(&jump, 0, targets[function_[known].immediate != 0 ? 0 : 1]);
      function_[end] = jump;
      return;
    }
    if (targets[0] == targets[1]) return;
    for (int arm = 0; arm < 2; ++arm) {
      if (order_.predecessors(targets[arm]).size() == 1) add_fact(condition, arm == 0, targets[arm]);
    }
  }

  ir::Function& function_;
  const ir::BlockOrder order_;
  const size_t values_;
  std::vector<Versions> versions_;  ///< by block: where the walk is, and at its end
  std::vector<uint32_t> written_;   ///< by block: classes, as bits
  std::vector<BlockId> seen_;       ///< by block: in which loop last
  Replacements replacements_;
  std::vector<Value> numbers_;           ///< by value: the first that is equal
  std::vector<std::vector<Fact>> facts_;  ///< by number of a Bool
  std::vector<Known> table_;
  uint32_t last_version_ = 0;
};

}  // namespace

void remove_redundancies(ir::Function* function) { Redundancies(function).remove(); }

}  // namespace mangata::jit
