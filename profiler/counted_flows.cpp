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

/// Every counter that is not zero, by key.
std::vector<std::pair<uint64_t, uint64_t>> counters_of(const CountTable& counts) {
  std::vector<std::pair<uint64_t, uint64_t>> counters;
  for (size_t key = 0; key < counts.array.size(); ++key) {
    if (counts.array[key] != 0) counters.emplace_back(key, counts.array[key]);
  }
  counters.insert(counters.end(), counts.hash.begin(), counts.hash.end());
  std::sort(counters.begin(), counters.end());
  return counters;
}

/// The same of the function's own table, by number or hashed id.
std::vector<std::pair<uint64_t, uint64_t>> path_counters_of(const PathCounters& counters) {
  auto found = counters_of(counters.paths);
  if (counters.preferred.empty()) return found;
  found.assign(counters.paths.hash.begin(), counters.paths.hash.end());
  for (size_t slot = 0; slot < counters.preferred.size(); ++slot) {
    if (counters.paths.array[slot] != 0) found.emplace_back(counters.preferred[slot], counters.paths.array[slot]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

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

}  // namespace

CountedFlows counted_flows(const FunctionRecord& record) {
  CountedFlows flows;
  const auto add = [&](std::optional<FlowPath> path, uint64_t count, std::vector<CountedFlow>& list,
                       const std::string& what) -> CountedFlow* {
    if (!path) {
      flows.problem = what + " is on no path";
      return nullptr;
    }
    list.push_back({std::move(*path), count});
    return &list.back();
  };
  for (const auto& [key, count] : path_counters_of(record.counters)) {
    add(path_of(record, key), count, flows.paths, "counter " + std::to_string(key));
  }
  flows.windows.resize(record.counters.windows.size());
  for (size_t i = 0; i < flows.windows.size(); ++i) {
    for (const auto& [slot, count] : counters_of(record.counters.windows[i].counts)) {
      add(value_of(record.numbering.plan.decode_window(record.shape.graph, i, slot)), count, flows.windows[i],
          "slot " + std::to_string(slot) + " of window " + std::to_string(i));
    }
  }
  for (const auto& [cut, count] : record.cuts) {
    CountedFlow* added = add(prefix_of(record, cut), count, flows.cuts,
                             "state " + std::to_string(cut.path) + ", " + std::to_string(cut.window) + ", " +
                                 std::to_string(cut.completed) + " in block " + std::to_string(cut.block));
    if (added != nullptr) added->cut_pc = cut.pc;
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
