#include "profiler/counted_flows.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "profiler/hashed_paths.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;

std::optional<FlowPath> value_of(numbering::Result<FlowPath> path) {
  if (!path) return {};
  return std::move(*path);
}

std::optional<FlowPath> path_of(const FunctionRecord& record, uint64_t key) {
  const FunctionNumbering& numbering = record.numbering;
  if (numbering.hashed) return hashed_path(record.shape.graph, *numbering.hashed, record.counters, key);
  return value_of(numbering.plan.decode(record.shape.graph, numbering::PathNumber{key}));
}

std::optional<FlowPath> prefix_of(const FunctionRecord& record, const FunctionRecord::Cut& cut) {
  const FunctionNumbering& numbering = record.numbering;
  const BlockId block(size_t{cut.block});
  if (numbering.hashed) {
    return hashed_prefix(record.shape.graph, *numbering.hashed, record.counters, block,
                         static_cast<uint64_t>(cut.path));
  }
  return value_of(numbering.plan.decode_in_flight(
      record.shape.graph, block, {.path = cut.path, .window = cut.window, .completed = cut.completed}));
}

CounterList counters_of(const CountTable& counts) {
  CounterList counters;
  counts.for_each([&](uint64_t key, uint64_t count) { counters.emplace_back(key, count); });
  std::sort(counters.begin(), counters.end());
  return counters;
}

/// The function's own table when it is a compact one.
CounterList preferred_counters_of(const PathCounters& counters) {
  CounterList found;
  counters.paths.hash.for_each([&](uint64_t key, uint64_t count) { found.emplace_back(key, count); });
  for (size_t slot = 0; slot < counters.preferred.size(); ++slot) {
    if (counters.paths.array[slot] != 0) found.emplace_back(counters.preferred[slot], counters.paths.array[slot]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Allocated allocated_by(const AllocationCounts& counts, uint64_t key) { return {counts.bytes.value(key), counts.objects.value(key)}; }

/// Adds the decoded paths of a list of counters.
template <typename Decode>
void add_flows(const CounterList& counters, const AllocationCounts& allocated, const char* what, Decode decode, std::vector<CountedFlow>* list,
               std::string* problem) {
  for (const auto& [key, count] : counters) {
    std::optional<FlowPath> path = decode(key);
    if (path) {
      list->push_back({.path = std::move(*path), .count = count, .allocated = allocated_by(allocated, key)});
    } else {
      *problem = what + std::to_string(key) + " is on no path";
    }
  }
}

}  // namespace

CounterLists counters_of(const PathCounters& counters) {
  CounterLists lists;
  lists.paths = counters.preferred.empty() ? counters_of(counters.paths) : preferred_counters_of(counters);
  for (const PathWindow& window : counters.windows) lists.windows.push_back(counters_of(window.counts));
  return lists;
}

FlowsByLoop::FlowsByLoop(const CountedFlows& flows) {
  add(flows.paths);
  for (const std::vector<CountedFlow>& window : flows.windows) add(window);
}

void FlowsByLoop::add(const std::vector<CountedFlow>& flows) {
  for (const CountedFlow& flow : flows) {
    if (flow.path.finish != numbering::PathFinish::Backedge) continue;
    const size_t loop = flow.path.finish_loop.index();
    if (loop >= flows_.size()) flows_.resize(loop + 1);
    flows_[loop].push_back(&flow);
  }
}

CountedFlows flows_of(const FunctionRecord& record, const CounterLists& counters) {
  CountedFlows flows;
  add_flows(counters.paths, record.counters.allocated, "counter ", [&](uint64_t key) { return path_of(record, key); }, &flows.paths, &flows.problem);
  flows.windows.resize(record.counters.windows.size());
  for (size_t i = 0; i < std::min(flows.windows.size(), counters.windows.size()); ++i) {
    add_flows(counters.windows[i], record.counters.windows[i].allocated, "window slot ", [&](uint64_t slot) { return value_of(record.numbering.plan.decode_window(record.shape.graph, i, slot)); }, &flows.windows[i], &flows.problem);
  }
  return flows;
}

CountedFlows counted_flows(const FunctionRecord& record) { return counted_flows(record, counters_of(record.counters)); }

CountedFlows counted_flows(const FunctionRecord& record, const CounterLists& counters) {
  CountedFlows flows = flows_of(record, counters);
  for (const auto& [cut, count] : record.cuts) {
    std::optional<FlowPath> path = prefix_of(record, cut);
    if (path) {
      flows.cuts.push_back({.path = std::move(*path), .count = count, .cut_pc = cut.pc});
    } else {
      flows.problem = "state " + std::to_string(cut.path) + ", " + std::to_string(cut.window) + ", " +
                      std::to_string(cut.completed) + " in block " + std::to_string(cut.block) + " is on no path";
    }
  }
  return flows;
}

std::vector<std::vector<EdgeId>> iterations_on(const FunctionRecord& record, const FlowPath& path,
                                               LoopId loop) {
  const numbering::LoopForest& loops = record.numbering.loops();
  std::vector<std::vector<EdgeId>> iterations;
  for (size_t i = 0; i < path.blocks.size(); ++i) {
    const bool goes_on = i < path.edges.size();
    if (iterations.empty() && path.blocks[i] == loops[loop].head) iterations.emplace_back();
    if (iterations.empty() || !goes_on) continue;
    if (loops.cut_by(path.edges[i]) == loop) {
      iterations.emplace_back();
    } else {
      iterations.back().push_back(path.edges[i]);
    }
  }
  return iterations;
}

}  // namespace mangata
