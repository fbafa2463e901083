// From counters to a profile in the terms of the source.
#include <algorithm>

#include "profiler/edge_prediction.h"
#include "profiler/hashed_paths.h"
#include "profiler/iteration_runs.h"
#include "profiler/path_translator.h"

namespace mangata {
namespace {

std::vector<PathCount> translated(const PathTranslator& translator, const EdgePredictor& predictor,
                                  const std::vector<CountedFlow>& flows) {
  std::vector<PathCount> paths;
  for (const CountedFlow& flow : flows) {
    paths.push_back({translator.translate(flow.path), flow.count, flow.cycles});
    predictor.add_named(flow.path, &paths.back());
  }
  std::stable_sort(paths.begin(), paths.end(),
                   [](const PathCount& a, const PathCount& b) { return a.count > b.count; });
  return paths;
}

/// Of the window itself: nothing when k is 1.
void add_window(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor, const CountedFlows& flows,
                LoopProfile* profile, RunsOfIterations* runs, size_t index) {
  const numbering::WindowLoop& window = record.numbering.plan.windows[index];
  profile->body_paths = window.body_paths;
  profile->slots = window.slots();
  profile->is_hashed = record.numbering.plan.events.windows[index].table.kind == numbering::TableKind::Hash;
  profile->windows = translated(translator, predictor, flows.windows[index]);
  runs->add(flows.windows[index]);
}

LoopProfile loop_profile(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor,
                         const CountedFlows& flows, numbering::LoopId loop) {
  LoopProfile profile;
  profile.key = PathTranslator::loop_key(loop);
  profile.line = translator.loop_line(loop);
  profile.iterations = record.numbering.iterations(loop);
  profile.backedges = predictor.backedges(loop);
  RunsOfIterations runs(record, loop);
  runs.add(flows.paths);
  for (size_t i = 0; i < flows.windows.size(); ++i) {
    if (record.numbering.plan.windows[i].loop == loop) add_window(record, translator, predictor, flows, &profile, &runs, i);
  }
  profile.runs = runs.total();
  profile.distinct_runs = runs.distinct();
  profile.accuracy = runs.accuracy();
  profile.chosen = numbering::choose_iterations(profile.accuracy);
  return profile;
}

/// Loops that were to be profiled over several iterations, whether they are or not.
void add_loops(const FunctionRecord& record, const PathTranslator& translator, const EdgePredictor& predictor, const CountedFlows& flows,
               FunctionProfile* profile) {
  const std::vector<uint8_t>& wanted = record.numbering.wanted;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < 2) continue;
    profile->loops.push_back(loop_profile(record, translator, predictor, flows, numbering::LoopId(i)));
    if (profile->loops.back().iterations < wanted[i]) profile->is_shortened = true;
  }
}

uint64_t holes(const numbering::PreferentialNumbering& preferential) {
  return static_cast<uint64_t>(std::count(preferential.path_at.begin(), preferential.path_at.end(),
                                          numbering::PreferentialNumbering::kHole));
}

}  // namespace

FunctionProfile decode(const FunctionRecord& record) { return decode(record, counted_flows(record)); }

FunctionProfile decode(const FunctionRecord& record, const CountedFlows& flows) {
  const FunctionNumbering& numbering = record.numbering;
  const PathTranslator translator(record);
  const EdgePredictor predictor(record, flows);
  FunctionProfile profile;
  set_identity(record, &profile);
  profile.last_line_defined = record.last_line_defined;
  profile.possible_paths = numbering.hashed ? numbering.events().paths.size : numbering.plan.path_count();
  profile.is_truncated = !numbering.hashed && numbering.plan.truncated;
  profile.is_hashed = numbering.events().paths.kind == numbering::TableKind::Hash;
  if (const auto& preferential = numbering.plan.preferential) {
    profile.is_preferential = true;
    profile.preferred_slots = preferential->table_size;
    profile.preferred_paths = preferential->table_size - holes(*preferential);
  }
  profile.paths = translated(translator, predictor, flows.paths);
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
  add_loops(record, translator, predictor, flows, &profile);
  profile.by_edges = predictor.prediction(translator);
  return profile;
}

}  // namespace mangata
