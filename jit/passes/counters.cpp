#include "jit/passes/counters.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "jit/passes/memory_effects.h"
#include "jit/passes/natural_loop.h"
#include "jit/passes/operands.h"
#include "jit/passes/split_edge.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Function;
using ir::Memory;
using ir::Opcode;
using ir::Operation;
using ir::Value;
using ir::Variable;

constexpr size_t kMostCounters = 3;  ///< of a loop: each may take a register
constexpr size_t kMostExits = 24;    ///< out of it, and calls: what was counted is added in each

/// A load, an addition of a constant and a store.
struct Increment {
  BlockId block;
  Value load, sum, store;
};

struct Counter {
  Value address;  ///< a constant
  uint64_t offset = 0;
  Variable counted;
  std::vector<Increment> increments;
};

/// In the operations of a block, that whose store is at `store`.
std::optional<Increment> find_increment(const Function& f, BlockId block, size_t store) {
  const std::vector<Value>& operations = f[block].operations;
  const Operation& last = f[operations[store]];
  if (store < 2 || last.op != Opcode::Store || last.memory != Memory::Counts || last.is_volatile || !f.is_constant(last.operands[1])) return {};
  const Increment found{block, operations[store - 2], operations[store - 1], operations[store]};
  const Operation &load = f[found.load], &sum = f[found.sum];
  if (load.op != Opcode::Load || load.is_volatile || load.type != ir::Type::I64) return {};
  if (load.operands[0] != last.operands[1] || load.immediate != last.immediate) return {};
  const bool adds = sum.op == Opcode::Add && sum.operands[0] == found.load && f.is_constant(sum.operands[1]);
  return adds && last.operands[0] == found.sum ? std::optional(found) : std::nullopt;
}

bool has_increments(const Function& f) {
  for (uint32_t i = 0; i < f.block_count(); ++i) {
    const ir::Block& block = f[BlockId{i}];
    for (size_t at = 2; at < block.operations.size() && !block.is_cold; ++at) {
      if (find_increment(f, {i}, at)) return true;
    }
  }
  return false;
}

class Counters {
 public:
  explicit Counters(Function* function) : function_(*function), order_(*function) {}

  bool run() {
    const std::vector<BlockId> heads = loop_heads(order_);
    for (const BlockId head : heads) {
      if (function_[head].is_cold) continue;
      if (std::exchange(changes_, false)) order_ = ir::BlockOrder(function_);
      if (!loop_.find(function_, order_, head) || !is_innermost(heads) || !find_ways_out() || !find_counters()) continue;
      for (Counter& counter : counters_) keep_in_variable(&counter);
      for (const auto& [block, call] : calls_) add_in_front_of(block, call);
      for (const auto& [block, arm] : exits_) add_on_edge(block, arm);
      any_ = true;
    }
    return any_;
  }

 private:
  bool is_innermost(const std::vector<BlockId>& heads) const {
    return std::none_of(heads.begin(), heads.end(), [&](BlockId other) { return other != loop_.head() && loop_.has(other); });
  }

  /// Where what was counted has to be in memory. False: too often.
  bool find_ways_out() {
    calls_.clear();
    exits_.clear();
    for (const BlockId block : loop_.blocks()) {
      for (const Value value : function_[block].operations) {
        if (!calls_for_memory(function_[value])) continue;
        if (!function_[block].is_cold) return false;
        calls_.emplace_back(block, value);
      }
      const Operation& end = function_[function_.terminator(block)];
      for (size_t arm = 0; arm < function_.target_count(end); ++arm) {
        if (!loop_.has(function_.target(end, arm))) exits_.emplace_back(block, arm);
      }
    }
    return exits_.size() + calls_.size() <= kMostExits;
  }

  // --- what is counted
  bool find_counters() {
    counters_.clear();
    for (const BlockId block : loop_.blocks()) {
      for (size_t at = 0; at < function_[block].operations.size(); ++at) {
        if (const auto increment = find_increment(function_, block, at)) add(*increment);
      }
    }
    if (counters_.empty()) return false;
    if (uses_.empty()) uses_ = count_uses(function_);
    std::erase_if(counters_, [&](const Counter& counter) { return !is_for_increments_only(counter); });
    std::stable_sort(counters_.begin(), counters_.end(), [&](const Counter& a, const Counter& b) { return hot(a) > hot(b); });
    while (!counters_.empty() && (counters_.size() > kMostCounters || hot(counters_.back()) == 0)) counters_.pop_back();
    return !counters_.empty();
  }

  void add(const Increment& increment) {
    const Operation& load = function_[increment.load];
    auto counter = std::find_if(counters_.begin(), counters_.end(), [&](const Counter& each) { return is_of(each, load); });
    if (counter == counters_.end()) counter = counters_.insert(counter, {load.operands[0], load.immediate, {}, {}});
    counter->increments.push_back(increment);
  }

  static bool is_of(const Counter& counter, const Operation& access) {
    if (access.op != Opcode::Load && access.op != Opcode::Store) return false;
    return access.operands[access.op == Opcode::Store ? 1 : 0] == counter.address && access.immediate == counter.offset;
  }

  /// Nothing in the loop loads or stores it otherwise.
  bool is_for_increments_only(const Counter& counter) const {
    size_t accesses = 0;
    for (const BlockId block : loop_.blocks()) {
      for (const Value value : function_[block].operations) accesses += is_of(counter, function_[value]);
    }
    if (accesses != 2 * counter.increments.size()) return false;
    return std::all_of(counter.increments.begin(), counter.increments.end(), [&](const Increment& increment) {
      return uses_[increment.load.index] == 1 && uses_[increment.sum.index] == 1;
    });
  }

  /// How many increments are in blocks that are executed often.
  long hot(const Counter& counter) const {
    return std::count_if(counter.increments.begin(), counter.increments.end(), [&](const Increment& increment) { return !function_[increment.block].is_cold; });
  }

  // --- what becomes of it
  void keep_in_variable(Counter* counter) {
    counter->counted = function_.add_variable(ir::Type::I64);
    for (const BlockId entry : loop_.entries()) insert(entry, function_[entry].operations.size() - 1, {set(*counter, function_.constant(ir::Type::I64, 0))});
    for (const Increment& increment : counter->increments) {
      function_[increment.load] = get(*counter);
      function_[increment.store] = function_[set(*counter, increment.sum)];
    }
  }

  Operation get(const Counter& counter) const { return {.immediate = counter.counted.index, .op = Opcode::GetVariable, .type = ir::Type::I64}; }
  Value set(const Counter& counter, Value value) {
    return function_.add({.immediate = counter.counted.index, .operands = {value}, .op = Opcode::SetVariable});
  }

  /// What adds all that was counted to the counters.
  std::vector<Value> additions() {
    std::vector<Value> result;
    for (const Counter& counter : counters_) {
      const Value counted = function_.add(get(counter));
      const Value before = function_.add({.immediate = counter.offset, .operands = {counter.address}, .op = Opcode::Load, .type = ir::Type::I64, .memory = Memory::Counts});
      const Value sum = function_.add({.operands = {before, counted}, .op = Opcode::Add, .type = ir::Type::I64});
      const Value store = function_.add({.immediate = counter.offset, .operands = {sum, counter.address}, .op = Opcode::Store, .memory = Memory::Counts});
      result.insert(result.end(), {counted, before, sum, store});
    }
    return result;
  }

  void add_in_front_of(BlockId block, Value call) {
    std::vector<Value> added = additions();
    for (const Counter& counter : counters_) added.push_back(set(counter, function_.constant(ir::Type::I64, 0)));
    const std::vector<Value>& operations = function_[block].operations;
    insert(block, static_cast<size_t>(std::find(operations.begin(), operations.end(), call) - operations.begin()), added);
  }

  void add_on_edge(BlockId block, size_t arm) {
    const Value end = function_.terminator(block);
    const BlockId next = function_.target(function_[end], arm);
    if (function_[end].op == Opcode::Jump) return insert(block, function_[block].operations.size() - 1, additions());
    if (order_.predecessors(next).size() == 1) return insert(next, 0, additions());
    insert(split_edge(&function_, block, arm), 0, additions());
    changes_ = true;
  }

  void insert(BlockId block, size_t at, const std::vector<Value>& values) {
    std::vector<Value>& operations = function_[block].operations;
    operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(at), values.begin(), values.end());
  }

  Function& function_;
  ir::BlockOrder order_;
  bool changes_ = false;  ///< blocks, since order_ was made
  bool any_ = false;
  std::vector<uint32_t> uses_;  ///< by value
  // of the loop
  NaturalLoop loop_;
  std::vector<std::pair<BlockId, Value>> calls_;  ///< of what may look at counters
  std::vector<std::pair<BlockId, size_t>> exits_;  ///< edges
  std::vector<Counter> counters_;
};

}  // namespace

bool keep_counters_in_variables(Function* function) { return has_increments(*function) && Counters(function).run(); }

}  // namespace mangata::jit
