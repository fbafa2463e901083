#include "profiler/function_record.h"

#include <algorithm>

#include "profiler/hashed_paths.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::Event;
using numbering::EventKind;

void allocate(const numbering::CounterTable& table, CountTable& counts) {
  if (table.kind != numbering::TableKind::Hash) counts.array = LowArray<uint64_t>(table.size);
}

void allocate_both(const numbering::CounterTable& table, AllocationCounts& counts) {
  allocate(table, counts.bytes);
  allocate(table, counts.objects);
}

bool has_counted(const CountTable& counts) {
  return !counts.hash.empty() ||
         std::any_of(counts.array.begin(), counts.array.end(), [](uint64_t count) { return count != 0; });
}

PathLeave leave_of(const numbering::Leave& leave, const numbering::EventPlan& events) {
  PathLeave result{.window = leave.window,
                   .rank_count = leave.rank_count,
                   .potential = leave.potential,
                   .entered = leave.entered,
                   .restarted = leave.restarted,
                   .scale = leave.scale,
                   .ranks = {},
                   .pieces = {}};
  if (leave.rank_table != numbering::Leave::kNoRanks) {
    const std::vector<uint64_t>& ranks = events.rank_tables[leave.rank_table];
    result.ranks.assign(ranks.begin(), ranks.end());
  }
  return result;
}

}  // namespace

FunctionRecord::FunctionRecord(FunctionIdentity identity, FunctionShape function_shape,
                               FunctionNumbering function_numbering)
    : ProfiledFunction(std::move(identity), std::move(function_shape)),
      numbering(std::move(function_numbering)) {
  const numbering::EventPlan& events = numbering.events();
  allocate(events.paths, counters.paths);
  for (const numbering::Window& window : events.windows) {
    counters.windows.push_back({.k = window.k,
                                .digit_bits = window.digit_bits,
                                .body_paths = window.body_paths,
                                .prologue = window.prologue,
                                .counts = {},
                                .allocated = {},
                                .prologues = {},
                                .steps = {}});
    if (window.table.kind != numbering::TableKind::Hash) allocate_window_counts(counters.windows.back());
  }
  for (const numbering::Leave& leave : events.leaves) counters.leaves.push_back(leave_of(leave, events));
  counters.preferred = LowArray<uint32_t>(events.preferred.size());
  for (size_t slot = 0; slot < events.preferred.size(); ++slot) {
    const uint64_t number = events.preferred[slot];
    counters.preferred[slot] = number < PathCounters::kNoPath ? static_cast<uint32_t>(number) : PathCounters::kNoPath;
  }
  counters.hash_multiplier = events.hash_multiplier;
  if (numbering.hashed) add_hash_starts(*numbering.hashed, counters);
}

void FunctionRecord::set_budget(CountBudget& budget) {
  counters.paths.hash.set_budget(budget);
  for (PathWindow& window : counters.windows) window.counts.hash.set_budget(budget);
}

GivenUpCounts FunctionRecord::given_up() const {
  GivenUpCounts sum = counters.paths.hash.given_up();
  for (const PathWindow& window : counters.windows) {
    const GivenUpCounts& given_up_counts = window.counts.hash.given_up();
    sum.keys += given_up_counts.keys;
    sum.executions += given_up_counts.executions;
    sum.most_missing = std::max(sum.most_missing, given_up_counts.most_missing);
  }
  return sum;
}

void FunctionRecord::charge(PathAllocations& allocations) {
  if (counters.allocations != nullptr) return;
  counters.allocations = &allocations;
  const numbering::EventPlan& events = numbering.events();
  if (events.paths.kind == numbering::TableKind::Array) allocate_both(events.paths, counters.allocated);
  for (size_t i = 0; i < events.windows.size(); ++i) allocate_both(events.windows[i].table, counters.windows[i].allocated);
}

bool FunctionRecord::has_run() const {
  return !cuts.empty() || has_counted(counters.paths) ||
         std::any_of(counters.windows.begin(), counters.windows.end(),
                     [](const PathWindow& window) { return has_counted(window.counts); });
}

namespace {

void set_to_zero(CountTable& counts) {
  std::fill(counts.array.begin(), counts.array.end(), 0);
  counts.hash = HashedCounts();
}

}  // namespace

void FunctionRecord::reset() {
  set_to_zero(counters.paths);
  set_to_zero(counters.allocated.bytes);
  set_to_zero(counters.allocated.objects);
  for (PathWindow& window : counters.windows) {
    set_to_zero(window.counts);
    set_to_zero(window.allocated.bytes);
    set_to_zero(window.allocated.objects);
  }
  counters.paths.hash.forget_given_up();
  for (PathWindow& window : counters.windows) window.counts.hash.forget_given_up();
  counters.hash_collisions = 0;
  cuts.clear();
}

InstrumentationPlan instrumentation_plan(const FunctionShape& shape, const FunctionNumbering& numbering) {
  const numbering::EventPlan& events = numbering.events();
  InstrumentationPlan result;
  result.at_entry = events.at_entry;
  result.counters = events.paths;
  result.windows = events.windows;
  for (const EdgeId edge : shape.graph.edges()) {
    const auto on_edge = events.on_edge(edge);
    result.edges.push_back({static_cast<int>(shape.graph.source(edge).index()),
                            static_cast<int>(shape.graph.target(edge).index()),
                            shape.arms[edge.index()],
                            {on_edge.begin(), on_edge.end()}});
    if (!numbering.hashed) continue;
    for (Event& event : result.edges.back().events) {
      if (event.kind == EventKind::HashStep) event.index = edge.value;  // the link that witnesses it
    }
  }
  return result;
}

namespace {

/// Counts may have been reset in between: then there is nothing to take back.
void take_back(uint64_t& count) {
  if (count != 0) --count;
}

/// Undoes the counting event of a path that stands at `word`.
void uncount_path(FunctionRecord& record, uint64_t word) {
  PathCounters& counters = record.counters;
  take_back(counters.preferred.empty() ? counters.paths.counter(word) : counters.preferred_counter(word));
}

/// The path register after the events at the entry.
uint64_t entry_word(const FunctionRecord& record) {
  const numbering::EventPlan& events = record.numbering.events();
  uint64_t word = 0;
  for (const Event& event : events.at_entry) {
    if (event.kind == EventKind::Start) word = record.numbering.in_word(static_cast<uint64_t>(event.start));
    if (event.kind == EventKind::EnterLoop) {
      const numbering::Window& window = events.windows[event.index];
      word = (word << 32) + (uint64_t{window.k} << (window.k * window.digit_bits));
    }
  }
  return word;
}

/// Undoes the events of the edge by which `block` leaves the function; returns the block that the path is in
/// again. Only in a truncated function can that be the exit itself: when the edge ends one path and starts
/// another. No block of a loop returns, so there are no events of windows.
BlockId take_back_exit(FunctionRecord& record, BlockId block, uint64_t* word) {
  const FunctionNumbering& numbering = record.numbering;
  const EdgeId exit_edge = record.shape.graph.out_edges(block).back();
  const auto events = numbering.events().on_edge(exit_edge);
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const auto value = static_cast<uint64_t>(event->value);
    switch (event->kind) {
      case EventKind::Add:
        *word = numbering.in_word(*word - value);
        break;
      case EventKind::Count:
        uncount_path(record, numbering.in_word(*word + value));
        break;
      case EventKind::HashCount:
        take_back(record.counters.paths.counter(*word));
        [[fallthrough]];
      case EventKind::HashStep:
        *word = record.counters.hash_links.at(*word).before;
        break;
      default:
        return record.shape.graph.exit();
    }
  }
  return block;
}

}  // namespace

void record_cut(FunctionRecord& record, FramePlace place, int64_t path_register) {
  auto word = static_cast<uint64_t>(path_register);
  BlockId block = record.shape.block_at(place.pc);
  if (!place.is_started) {
    block = record.shape.graph.entry();
    place.pc = 0;
    word = entry_word(record);
  } else if (place.is_leaving) {
    block = take_back_exit(record, block, &word);
  }
  const numbering::ActivationState state = record.numbering.unpack(block, word);
  ++record.cuts[{place.pc, block.value, state.path, state.window, state.completed}];
}

}  // namespace mangata
