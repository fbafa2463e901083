#include "profiler/page/page_rows.h"

#include <algorithm>
#include <numeric>

#include "profiler/selection.h"

namespace mangata {
namespace {

/// Calls by who called: functions by their index before they are sorted.
struct CallNode {
  size_t parent;
  size_t row;
  uint64_t nanoseconds = 0;
};
constexpr size_t kRoot = SIZE_MAX;

std::vector<CallNode> call_tree(const TimeProfile& time, const std::vector<size_t>& row_of_symbol) {
  std::vector<CallNode> nodes;
  std::map<std::pair<size_t, size_t>, size_t> known;
  for (const StackSample& stack : time.stacks) {
    size_t parent = kRoot;
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

}  // namespace

PageRows::PageRows(const FunctionScreen& screen, const PageLimits& limits) {
  const RunProfile& profile = screen.profile;
  const ReportWeight weight = screen.options.weight;
  std::vector<size_t> row_of_symbol;
  const std::vector<FunctionRow> all = by_function(profile, &row_of_symbol);
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(value_of(all[a], weight), value_of(all[a].total, weight)) > std::pair(value_of(all[b], weight), value_of(all[b].total, weight));
  });

  std::vector<CallNode> nodes;
  if (profile.time) nodes = call_tree(*profile.time, row_of_symbol);
  uint64_t all_ns = 0;
  for (const CallNode& node : nodes) all_ns += node.parent == kRoot ? node.nanoseconds : 0;
  const auto least_ns = static_cast<uint64_t>(static_cast<double>(all_ns) * limits.flame_percent / 100);
  std::vector<bool> is_drawn(all.size());
  for (const CallNode& node : nodes) is_drawn[node.row] = is_drawn[node.row] || node.nanoseconds >= least_ns;

  std::vector<size_t> place(all.size(), SIZE_MAX);
  size_t listed = 0;
  for (const size_t i : order) {
    const FunctionRow& row = all[i];
    const bool is_empty = row.function == nullptr && value_of(row, weight) == 0 && value_of(row.total, weight) == 0;
    const bool passes = !is_empty && passes_filters(row.name, row.file, screen.options) && screen.percent(value_of(row, weight)) >= screen.options.minimum_percent;
    const size_t most = screen.options.top != 0 ? std::min(screen.options.top, limits.functions) : limits.functions;
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
  std::vector<int64_t> drawn(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const CallNode& node = nodes[i];
    const bool has_parent = node.parent == kRoot || drawn[node.parent] >= 0;
    if (!has_parent) continue;
    if (node.nanoseconds < least_ns || place[node.row] == SIZE_MAX) {
      undrawn_ns_ += node.nanoseconds;
      continue;
    }
    drawn[i] = static_cast<int64_t>(calls_.size());
    calls_.push_back({node.parent == kRoot ? -1 : drawn[node.parent], place[node.row], node.nanoseconds});
  }
}

}  // namespace mangata
