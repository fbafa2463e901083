#include "jit/quick/order/block_order.h"

#include <algorithm>

#include "jit/ir/reverse_post_order.h"

namespace mangata::jit::quick {
namespace {

class Orderer {
 public:
  explicit Orderer(const ir::Function& function)
      : function_(function), targets_(function.block_count()), sources_(function.block_count()), loop_(function.block_count(), kNone), outer_(function.block_count(), kNone), is_head_(function.block_count(), 0), is_cold_(function.block_count(), 0) {}

  BlockOrder run() {
    for (uint32_t block = 0; block < function_.block_count(); ++block) find_targets(block);
    walk();
    find_cold();
    find_loops();
    for (uint32_t block = 0; block < targets_.size(); ++block) sort_targets(block);
    walk();
    find_frequencies();
    return finish();
  }

 private:
  struct Target {
    uint32_t block;
    uint32_t weight;
    bool is_unlikely;
  };

  void find_targets(uint32_t block) {
    const ir::Value end = function_.terminator({block});
    if (!end) return;
    const ir::Operation& terminator = function_[end];
    const size_t count = function_.target_count(terminator);
    for (size_t i = 0; i < count; ++i) {
      Target target{function_.target(terminator, i).index, 1, false};
      if (terminator.op == ir::Opcode::Branch) {
        target.weight = ir::Function::weight_of(terminator, static_cast<int>(i));
        target.is_unlikely = uint64_t{target.weight} * 512 < ir::Function::weight_of(terminator, static_cast<int>(1 - i));
      }
      targets_[block].push_back(target);
    }
  }

  /// Reverse post order; what stands first among the targets comes last.
  void walk() {
    order_.clear();
    rank_.assign(targets_.size(), kNone);
    const auto target_of = [&](ir::BlockId block, size_t i) {
      const std::vector<Target>& targets = targets_[block.index];
      return i < targets.size() ? ir::BlockId{targets[i].block} : ir::BlockId{};
    };
    for (const ir::BlockId block : ir::reverse_post_order(targets_.size(), target_of)) {
      rank_[block.index] = static_cast<uint32_t>(order_.size());
      order_.push_back(block.index);
    }
  }

  void find_cold() {
    std::vector<uint8_t> is_reached_warm(targets_.size(), 0);
    is_reached_warm[0] = 1;
    for (const uint32_t block : order_) {
      is_cold_[block] = function_[ir::BlockId{block}].is_cold || is_reached_warm[block] == 0 ? 1 : 0;
      for (const Target& target : targets_[block]) {
        sources_[target.block].push_back(block);
        if (is_cold_[block] == 0 && !target.is_unlikely) is_reached_warm[target.block] = 1;
      }
    }
  }

  /// From inner heads to outer ones: all that leads to a head without coming through it.
  void find_loops() {
    for (size_t i = order_.size(); i-- > 0;) {
      const uint32_t head = order_[i];
      std::vector<uint32_t> pending;
      for (const uint32_t source : sources_[head]) {
        if (rank_[source] < rank_[head]) continue;
        is_head_[head] = 1;
        pending.push_back(source);
      }
      if (is_head_[head] == 0) continue;
      loop_[head] = head;
      while (!pending.empty()) {
        uint32_t block = outermost(pending.back());
        pending.pop_back();
        if (block == head || rank_[block] < rank_[head]) continue;
        if (is_head_[block] != 0) {
          outer_[block] = head;
        } else {
          loop_[block] = head;
        }
        for (const uint32_t source : sources_[block]) pending.push_back(source);
      }
    }
  }

  uint32_t outermost(uint32_t block) const {
    if (loop_[block] == kNone) return block;
    uint32_t head = loop_[block];
    while (outer_[head] != kNone) head = outer_[head];
    return head;
  }

  uint8_t depth(uint32_t block) const {
    uint8_t depth = 0;
    for (uint32_t head = loop_[block]; head != kNone && depth < 200; head = outer_[head]) ++depth;
    return depth;
  }

  /// What leaves the loop first, then what is cold, then what is less likely: the walk puts it behind.
  void sort_targets(uint32_t block) {
    if (targets_[block].size() < 2) return;
    const uint8_t own = depth(block);
    const auto rank = [&](const Target& target) {
      const bool leaves = depth(target.block) < own;
      return std::pair(leaves || is_cold_[target.block] != 0 ? 0 : 1, target.weight);
    };
    std::reverse(targets_[block].begin(), targets_[block].end());
    std::stable_sort(targets_[block].begin(), targets_[block].end(), [&](const Target& a, const Target& b) { return rank(a) < rank(b); });
  }

  /// Each branch leads where its weights say, each loop runs eight times, and what is behind it as often as what is in front.
  void find_frequencies() {
    constexpr double kIterations = 8;
    frequency_.assign(targets_.size(), 0);
    frequency_[0] = 1000;
    for (const uint32_t block : order_) {
      if (is_head_[block] != 0) frequency_[block] *= kIterations;
      const double own = std::min(frequency_[block], 1e9);
      double sum = 0;
      for (const Target& target : targets_[block]) sum += target.weight;
      const uint8_t from_depth = depth(block);
      for (const Target& target : targets_[block]) {
        if (rank_[target.block] <= rank_[block]) continue;
        double share = sum == 0 ? 1.0 / static_cast<double>(targets_[block].size()) : target.weight / sum;
        for (uint8_t d = depth(target.block); d < from_depth; ++d) share = 1 / kIterations;
        frequency_[target.block] += own * share;
      }
    }
  }

  BlockOrder finish() {
    std::stable_partition(order_.begin(), order_.end(), [&](uint32_t block) { return is_cold_[block] == 0; });
    BlockOrder result;
    result.number.assign(targets_.size(), kNone);
    for (uint32_t i = 0; i < order_.size(); ++i) result.number[order_[i]] = i;
    const auto number = [&](uint32_t block) { return block == kNone ? kNone : result.number[block]; };
    for (const uint32_t block : order_) {
      result.entries.push_back({{block}, number(loop_[block]), number(outer_[block]), depth(block), is_cold_[block] != 0, static_cast<uint32_t>(std::min(frequency_[block], 4e9))});
    }
    return result;
  }

  const ir::Function& function_;
  std::vector<std::vector<Target>> targets_;
  std::vector<std::vector<uint32_t>> sources_;
  std::vector<uint32_t> order_, rank_;
  std::vector<uint32_t> loop_, outer_;
  std::vector<uint8_t> is_head_, is_cold_;
  std::vector<double> frequency_;
};

}  // namespace

BlockOrder order_blocks(const ir::Function& function) { return Orderer(function).run(); }

}  // namespace mangata::jit::quick
