// From counters to a profile in the terms of the source.
#include <algorithm>

#include "profiler/edge_prediction.h"
#include "profiler/hashed_paths.h"
#include "profiler/iteration_runs.h"
#include "profiler/path_translator.h"

namespace mangata {
namespace {

/// What was measured of a path besides its count.
void add_costs(const FunctionRecord& record, const CountedFlow& flow, bool has_times, PathCount* path) {
  if (has_times) path->nanoseconds = static_cast<uint64_t>(flow.nanoseconds + 0.5);
  if (record.counters.allocations == nullptr) return;
  path->allocated_bytes = flow.allocated.bytes;
  path->allocated_objects = flow.allocated.objects;
}

std::vector<PathCount> translated(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor,
                                  const std::vector<CountedFlow>& flows, bool has_times) {
  std::vector<PathCount> paths;
  for (const CountedFlow& flow : flows) {
    paths.push_back({.path = translator.translate(flow.path), .count = flow.count});
    add_costs(record, flow, has_times, &paths.back());
    predictor.add_named(flow.path, &paths.back());
  }
  std::stable_sort(paths.begin(), paths.end(),
                   [](const PathCount& a, const PathCount& b) { return a.count > b.count; });
  return paths;
}

LoopProfile loop_profile(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor,
                         const FlowsByLoop& flows, numbering::LoopId loop) {
  LoopProfile profile;
  profile.key = PathTranslator::loop_key(loop);
  profile.line = translator.loop_line(loop);
  profile.column = translator.loop_column(loop);
  profile.iterations = record.numbering.iterations(loop);
  profile.backedges = predictor.backedges(loop);
  const RunsOfIterations runs(record, loop, flows);
  profile.runs = runs.total();
  profile.distinct_runs = runs.distinct();
  profile.accuracy = runs.accuracy();
  profile.chosen = numbering::choose_iterations(profile.accuracy);
  return profile;
}

/// Loops that were to be profiled over several iterations, whether they are or not.
void add_loops(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor, const CountedFlows& flows,
               bool has_times, FunctionProfile* profile) {
  constexpr size_t kNotListed = SIZE_MAX;
  const FlowsByLoop by_loop(flows);
  const std::vector<uint8_t>& wanted = record.numbering.wanted;
  std::vector<size_t> listed(wanted.size(), kNotListed);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < 2) continue;
    listed[i] = profile->loops.size();
    profile->loops.push_back(loop_profile(record, translator, predictor, by_loop, numbering::LoopId(i)));
    if (profile->loops.back().iterations < wanted[i]) profile->is_shortened = true;
  }
  for (size_t i = 0; i < flows.windows.size(); ++i) {
    const numbering::WindowLoop& window = record.numbering.plan.windows[i];
    const size_t place = listed.at(window.loop.index());
    if (place == kNotListed) continue;
    LoopProfile& loop = profile->loops[place];
    loop.body_paths = window.body_paths;
    loop.slots = window.slots();
    loop.is_hashed = record.numbering.plan.events.windows[i].table.kind == numbering::TableKind::Hash;
    loop.windows = translated(record, translator, predictor, flows.windows[i], has_times);
  }
}

uint64_t holes(const numbering::PreferentialNumbering& preferential) {
  return static_cast<uint64_t>(std::count(preferential.path_at.begin(), preferential.path_at.end(),
                                          numbering::PreferentialNumbering::kHole));
}

}  // namespace

FunctionProfile decode(const FunctionRecord& record, const CountedFlows& flows, bool has_times) {
  const FunctionNumbering& numbering = record.numbering;
  const PathTranslator translator(record);
  const EdgePredictor predictor(record, flows);
  FunctionProfile profile;
  set_identity(record, &profile);
  profile.last_line_defined = record.last_line_defined;
  profile.crowded_lines = crowded_lines(record.shape);
  profile.possible_paths = numbering.hashed ? numbering.events().paths.size : numbering.plan.path_count();
  profile.is_truncated = !numbering.hashed && numbering.plan.truncated;
  profile.is_hashed = numbering.events().paths.kind == numbering::TableKind::Hash;
  if (const auto& preferential = numbering.plan.preferential) {
    profile.is_preferential = true;
    profile.preferred_slots = preferential->table_size;
    profile.preferred_paths = preferential->table_size - holes(*preferential);
  }
  profile.paths = translated(record, translator, predictor, flows.paths, has_times);
  if (numbering.hashed) {
    profile.has_hashed_ids = true;
    profile.collision_bound =
        numbering::collision_bound(record.counters.hash_links.size(), most_hash_steps(record.shape.graph));
    profile.collisions = record.counters.hash_collisions;
  }
  for (const CountedFlow& cut : flows.cuts) {
    profile.cut_paths.push_back({translator.translate(cut.path), cut.count});
    profile.cut_paths.back().path.end_line = record.shape.line_at(cut.cut_pc);
  }
  add_loops(record, translator, predictor, flows, has_times, &profile);
  profile.by_edges = predictor.prediction(translator);
  return profile;
}

}  // namespace mangata
