// Flow conservation: what ends at a loop goes on from there.
#include <map>

#include "profiler/counted_flows.h"

namespace mangata {
namespace {

using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

/// A place where paths end and others begin: at a loop, with k-1 iterations behind them.
struct Junction {
  LoopId loop;
  std::vector<std::vector<EdgeId>> iterations;
  friend auto operator<=>(const Junction&, const Junction&) = default;
};

/// The k-1 iterations that the path brings along (its first ones) or passes on (its last ones).
Junction junction(const FunctionRecord& record, const FlowPath& path, LoopId loop, bool at_its_end) {
  const size_t shared = record.numbering.iterations(loop) - 1;
  if (shared == 0) return {loop, {}};
  auto iterations = iterations_on(record, path, loop);
  if (iterations.size() > shared) {
    if (at_its_end) {
      iterations.erase(iterations.begin(), iterations.end() - static_cast<ptrdiff_t>(shared));
    } else {
      iterations.resize(shared);
    }
  }
  return {loop, std::move(iterations)};
}

}  // namespace

std::string check_flow(const FunctionRecord& record, bool all_ended) {
  const CountedFlows flows = counted_flows(record);
  if (!flows.problem.empty()) return flows.problem;
  std::map<Junction, int64_t> balance;  // paths ended minus paths begun
  const auto weigh = [&](const CountedFlow& flow) {
    const auto count = static_cast<int64_t>(flow.count);
    if (flow.path.begin == PathBegin::Backedge)
      balance[junction(record, flow.path, flow.path.begin_loop, false)] -= count;
    if (flow.path.finish == PathFinish::Backedge)
      balance[junction(record, flow.path, flow.path.finish_loop, true)] += count;
  };
  for (const CountedFlow& flow : flows.paths) weigh(flow);
  for (const auto& windows : flows.windows) {
    for (const CountedFlow& flow : windows) weigh(flow);
  }
  for (const CountedFlow& flow : flows.cuts) weigh(flow);
  for (const auto& [junction, difference] : balance) {
    if (difference < 0 || (all_ended && difference != 0)) {
      return "loop " + std::to_string(junction.loop.value) +
             ": paths ended there minus paths begun there = " + std::to_string(difference);
    }
  }
  return {};
}

}  // namespace mangata
