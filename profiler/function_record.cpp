#include "profiler/function_record.h"

#include <algorithm>

namespace mangata {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::Event;
using numbering::EventKind;

bool FunctionRecord::has_run() const {
  const auto counted = [](uint64_t count) { return count != 0; };
  return !cuts.empty() || !counters.paths.hash.empty() || std::any_of(counters.paths.array.begin(), counters.paths.array.end(), counted);
}

InstrumentationPlan instrumentation_plan(const FunctionShape& shape, const numbering::PathPlan& plan) {
  InstrumentationPlan result;
  result.at_entry = plan.events.at_entry;
  result.counters = plan.events.paths;
  result.windows = plan.events.windows;
  result.leaves = plan.events.leaves;
  result.rank_tables = plan.events.rank_tables;
  for (const EdgeId edge : shape.graph.edges()) {
    const auto events = plan.events.on_edge(edge);
    result.edges.push_back({static_cast<int>(shape.graph.source(edge).index()),
                            static_cast<int>(shape.graph.target(edge).index()),
                            shape.arms[edge.index()],
                            {events.begin(), events.end()}});
  }
  return result;
}

namespace {

void uncount(PathCounters& counters, uint64_t number) {
  if (number < counters.paths.array.size()) {
    --counters.paths.array[number];
    return;
  }
  const auto found = counters.paths.hash.find(number);
  if (--found->second == 0) counters.paths.hash.erase(found);
}

/// Undoes the events of the edge by which `block` leaves the function; returns the block that the path is in again. Only
/// in a truncated function can that be the exit itself: when the edge ends one path and starts another.
BlockId take_back_exit(FunctionRecord& record, BlockId block, int64_t* path_register) {
  const auto edges = record.shape.graph.out_edges(block);
  const EdgeId exit_edge = edges.back();
  const auto events = record.plan.events.on_edge(exit_edge);
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    switch (event->kind) {
      case EventKind::Add: *path_register -= event->value; break;
      case EventKind::Count: uncount(record.counters, static_cast<uint64_t>(*path_register + event->value)); break;
      default: return record.shape.graph.exit();
    }
  }
  return block;
}

}  // namespace

void record_cut(FunctionRecord& record, int pc, int64_t path_register, bool started, bool is_leaving) {
  BlockId block = record.shape.block_at(pc);
  if (!started) {
    block = record.shape.graph.entry();
    pc = 0;
    path_register = 0;
    for (const Event& event : record.plan.events.at_entry) {
      if (event.kind == EventKind::Start) path_register = event.start;
      if (event.kind == EventKind::Add) path_register += event.value;
    }
  } else if (is_leaving) {
    block = take_back_exit(record, block, &path_register);
  }
  ++record.cuts[{pc, block.value, path_register}];
}

}  // namespace mangata
