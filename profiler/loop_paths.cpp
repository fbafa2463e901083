#include "profiler/loop_paths.h"

#include <map>

#include "profiler/memory_limit.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::LoopId;

class PathsOfLoop {
 public:
  PathsOfLoop(const FunctionRecord& record, LoopId loop) : record_(record), loop_(loop) {
    const FunctionShape& shape = record.shape;
    const numbering::Loop& row = record.numbering.loops()[loop];
    result_.head_pc = OriginalPc(shape.blocks[row.head.index()].first_pc);
    result_.line = line_of_loop(shape, row);
    result_.k = record.numbering.iterations(loop);
  }

  void add(const std::vector<const CountedFlow*>& flows) {
    for (const CountedFlow* flow : flows) {
      std::vector<uint32_t> run;
      const auto iterations = iterations_on(record_, flow->path, loop_);
      if (iterations.size() != result_.k) continue;  // the last part of an iteration
      for (size_t i = 0; i < iterations.size(); ++i) run.push_back(number_of(iterations[i]));
      result_.runs.emplace_back(std::move(run), flow->count);
    }
  }

  LoopPaths take() { return std::move(result_); }

 private:
  uint32_t number_of(const std::vector<EdgeId>& edges) {
    const auto [place, is_new] = numbers_.try_emplace(edges, static_cast<uint32_t>(numbers_.size()));
    if (is_new) result_.distinct.push_back(steps_of(edges));
    return place->second;
  }

  LoopPath steps_of(const std::vector<EdgeId>& edges) const {
    const numbering::FlowGraph& graph = record_.shape.graph;
    LoopPath path;
    BlockId last = record_.numbering.loops()[loop_].head;
    for (const EdgeId edge : edges) {
      add_step(edge, &path);
      last = graph.target(edge);
    }
    for (const EdgeId edge : record_.numbering.loops()[loop_].backedges) {
      if (graph.source(edge) == last) {
        add_step(edge, &path);
        break;
      }
    }
    return path;
  }

  void add_step(EdgeId edge, LoopPath* path) const {
    const numbering::FlowGraph& graph = record_.shape.graph;
    const BlockId from = graph.source(edge);
    const auto arms = graph.out_edges(from);
    if (arms.size() < 2) return;
    path->push_back({OriginalPc(record_.shape.blocks[from.index()].end_pc - 1), edge == arms[1]});
  }

  const FunctionRecord& record_;
  LoopId loop_;
  LoopPaths result_;
  std::map<std::vector<EdgeId>, uint32_t> numbers_;
};

std::vector<LoopPaths> loop_paths(const FunctionRecord& record, const CounterLists& counted) {
  std::vector<LoopPaths> result;
  if (record.numbering.hashed) return result;
  // The tail of a loop with very many runs costs time and changes no decision.
  constexpr size_t kMostRuns = 4096;
  CounterLists hottest = counted;
  keep_hottest(&hottest.paths, kMostRuns);
  for (CounterList& window : hottest.windows) keep_hottest(&window, kMostRuns);
  const CountedFlows flows = flows_of(record, hottest);
  const FlowsByLoop by_loop(flows);
  const numbering::LoopForest& loops = record.numbering.loops();
  for (const LoopId id : loops.ids()) {
    if (!loops[id].innermost || !numbering::can_iterate(record.shape.graph, loops, id)) continue;
    if (!record.shape.has_code(loops[id].head)) continue;  // paths may also be cut there
    PathsOfLoop numbered(record, id);
    numbered.add(by_loop.of(id));
    LoopPaths paths = numbered.take();
    if (!paths.runs.empty()) result.push_back(std::move(paths));
  }
  return result;
}

}  // namespace

std::vector<LoopPaths> loop_paths(const SampledFunction& function) {
  if (function.current == nullptr) return {};
  const SampledLayer& layer = *function.current;
  return loop_paths(layer.record, difference(counters_of(layer.record.counters), layer.baseline));
}

std::vector<LoopPaths> loop_paths(const FunctionRecord& record) {
  return loop_paths(record, counters_of(record.counters));
}

}  // namespace mangata
