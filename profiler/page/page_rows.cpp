#include "profiler/page/page_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "profiler/selection.h"

namespace mangata {
namespace {

constexpr size_t kNone = SIZE_MAX;

/// Indices of the rows, costliest first, as sort_rows has it.
std::vector<size_t> order_of(const std::vector<FunctionRow>& rows, ReportWeight weight) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto rank = [&](size_t i) { return std::pair(value_of(rows[i], weight), value_of(rows[i].total, weight)); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) > rank(b); });
  return order;
}

}  // namespace

/// A function below those that called it, in all stacks that begin so.
struct PageRows::CallNode {
  size_t parent;  ///< kNone: nothing of the program called it
  size_t row;     ///< before rows are sorted
  uint64_t nanoseconds = 0;
};

std::vector<PageRows::CallNode> PageRows::call_tree(const TimeProfile& time, const std::vector<size_t>& row_of_symbol) {
  std::vector<CallNode> nodes;
  std::map<std::pair<size_t, size_t>, size_t> known;
  for (const StackSample& stack : time.stacks) {
    size_t parent = kNone;
    for (const StackFrame& frame : stack.frames) {
      const size_t row = row_of_symbol[frame.symbol];
      const auto [place, is_new] = known.try_emplace({parent, row}, nodes.size());
      if (is_new) nodes.push_back({parent, row});
      parent = place->second;
      nodes[parent].nanoseconds += stack.nanoseconds;
    }
  }
  return nodes;
}

PageRows::PageRows(const FunctionScreen& screen, const PageLimits& limits) {
  std::vector<size_t> row_of_symbol;
  const std::vector<FunctionRow> all = by_function(screen.profile, &row_of_symbol);
  std::vector<CallNode> nodes;
  if (screen.profile.time) nodes = call_tree(*screen.profile.time, row_of_symbol);
  uint64_t all_ns = 0;
  for (const CallNode& node : nodes) all_ns += node.parent == kNone ? node.nanoseconds : 0;
  const auto least_ns = static_cast<uint64_t>(static_cast<double>(all_ns) * limits.flame_percent / 100);
  std::vector<bool> is_drawn(all.size());
  for (const CallNode& node : nodes) is_drawn[node.row] = is_drawn[node.row] || node.nanoseconds >= least_ns;
  take_calls(nodes, take_rows(screen, limits, all, is_drawn), least_ns);
}

std::vector<size_t> PageRows::take_rows(const FunctionScreen& screen, const PageLimits& limits, const std::vector<FunctionRow>& all,
                                        const std::vector<bool>& is_drawn) {
  const ReportWeight weight = screen.options.weight;
  const size_t most = screen.options.top != 0 ? std::min(screen.options.top, limits.functions) : limits.functions;
  std::vector<size_t> place(all.size(), kNone);
  size_t listed = 0;
  for (const size_t i : order_of(all, weight)) {
    const FunctionRow& row = all[i];
    const bool is_empty = row.function == nullptr && value_of(row, weight) == 0 && value_of(row.total, weight) == 0;
    const bool passes = !is_empty && passes_filters(row.name, row.file, screen.options) &&
                        screen.percent(value_of(row, weight)) >= screen.options.minimum_percent;
    const bool is_listed = passes && listed < most;
    listed += is_listed;
    if (!is_listed) {
      unlisted_ += !is_empty;
      unlisted_value_ += value_of(row, weight);
      if (!is_drawn[i]) continue;
    }
    place[i] = rows_.size();
    rows_.push_back({row, is_listed});
  }
  return place;
}

void PageRows::take_calls(const std::vector<CallNode>& nodes, const std::vector<size_t>& place, uint64_t least_ns) {
  std::vector<int64_t> drawn(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const CallNode& node = nodes[i];
    if (node.parent != kNone && drawn[node.parent] < 0) continue;  // its time is in that of the caller, which is not drawn either
    if (node.nanoseconds < least_ns) {
      undrawn_ns_ += node.nanoseconds;
      continue;
    }
    drawn[i] = static_cast<int64_t>(calls_.size());
    calls_.push_back({node.parent == kNone ? -1 : drawn[node.parent], place[node.row], node.nanoseconds});
  }
}

}  // namespace mangata
