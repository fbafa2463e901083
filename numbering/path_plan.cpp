// Making a plan. Reading its counters is in path_plan_decode.cpp.
#include "numbering/path_plan.h"

#include <cmath>
#include <optional>

#include "numbering/edge_weights.h"
#include "numbering/truncation.h"
#include "numbering/window_dag.h"

namespace mangata::numbering {
namespace {

Result<std::vector<double>> usable_weights(const FlowGraph& graph, const LoopForest& forest,
                                           std::span<const double> given) {
  if (given.empty()) return static_edge_weights(graph, forest);
  const size_t common = std::min(given.size(), graph.edge_count());
  for (size_t i = 0; i < common; ++i) {
    if (!std::isfinite(given[i]) || given[i] < 0) {
      return NumberingError{ErrorKind::BadWeights, static_cast<uint32_t>(i)};
    }
  }
  if (given.size() != graph.edge_count()) {
    return NumberingError{ErrorKind::BadWeights, static_cast<uint32_t>(common)};
  }
  return std::vector<double>(given.begin(), given.end());
}

// Loops and DAG that belong together, before they are numbered.
struct Shape {
  LoopForest forest;
  KLoops k_loops;
  PathDag dag;
};

class Planner {
 public:
  Planner(const FlowGraph& graph, const LoopForest& forest, const PlanOptions& options)
      : graph_(graph),
        forest_(forest),
        options_(options),
        iterations_(options.iterations.begin(), options.iterations.end()) {}

  Result<PathPlan> run() {
    auto weights = usable_weights(graph_, forest_, options_.edge_weights);
    if (!weights) return weights.error();
    weights_ = std::move(*weights);
    if (iterations_.size() > forest_.size()) {
      return NumberingError{ErrorKind::BadIterations, static_cast<uint32_t>(forest_.size())};
    }
    auto shape = make_shape(forest_);
    if (!shape) return shape.error();
    auto numbering = number_paths(shape->dag, limit(*shape));
    for (PathCount threshold = limit(*shape); !numbering && threshold > 0;) {
      const Truncation truncation = choose_cuts(graph_, shape->dag, threshold);
      if (!truncation.too_long.empty()) {
        for (LoopId loop : truncation.too_long) shorten(loop);
        shape = make_shape(forest_);
        if (!shape) return shape.error();
        numbering = number_paths(shape->dag, limit(*shape));
        threshold = std::min(threshold, limit(*shape));
        continue;
      }
      auto candidate = make_shape(forest_.with_truncation(graph_, truncation.cuts));
      if (!candidate) return candidate.error();
      auto candidate_numbering = number_paths(candidate->dag, limit(*candidate));
      if (candidate_numbering) {
        shape = std::move(candidate);
        numbering = std::move(candidate_numbering);
      }
      threshold /= 4;
    }
    if (!numbering) return numbering.error();
    return finish(std::move(*shape), std::move(*numbering));
  }

 private:
  PathCount limit(const Shape& shape) const {
    return shape.k_loops.size() > 0 ? options_.window_path_limit : options_.path_limit;
  }

  void shorten(LoopId loop) {
    --iterations_[loop.index()];
    shortened_ = true;
    windows_.clear();
  }

  // The window of a loop with its k, or the largest below it for which a window fits its register. With k = 1
  // it is no k-loop any more, so nothing is returned and the loops have to be looked at again.
  Result<std::optional<WindowLoop>> fitting_window(const LoopForest& forest, KLoop loop) {
    for (; loop.k > 1; --loop.k) {
      auto window =
          make_window_loop(graph_, forest, loop, weights_, options_.use_chords, options_.window_bits);
      if (window) return std::optional(std::move(*window));
      if (window.error().kind != ErrorKind::PathLimit) return window.error();
      --iterations_[loop.loop.index()];
      shortened_ = true;
    }
    return std::optional<WindowLoop>();
  }

  // Windows depend on the iterations only, not on what truncation cuts outside of k-loops, so they are made
  // once.
  Result<Shape> make_shape(LoopForest forest) {
    for (;;) {
      auto k_loops = KLoops::make(graph_, forest, iterations_);
      if (!k_loops) return k_loops.error();
      bool all_fit = true;
      while (all_fit && windows_.size() < k_loops->size()) {
        auto window = fitting_window(forest, (*k_loops)[windows_.size()]);
        if (!window) return window.error();
        all_fit = window->has_value();
        if (!all_fit) continue;
        k_loops->reduce(windows_.size(), (*window)->k);
        windows_.push_back(std::move(**window));
      }
      if (!all_fit) continue;
      auto dag = build_window_dag(graph_, forest, *k_loops, windows_);
      if (!dag) return dag.error();
      return Shape{std::move(forest), std::move(*k_loops), std::move(*dag)};
    }
  }

  Chords make_chords(const PathDag& dag, const PathNumbering& numbering) const {
    if (!options_.use_chords) return values_as_increments(dag, numbering);
    return chord_increments(dag, numbering,
                            maximum_spanning_tree(dag, dag_edge_weights(graph_, dag, weights_)));
  }

  Result<PathPlan> finish(Shape shape, PathNumbering numbering) {
    std::optional<PreferentialNumbering> preferential;
    PathNumbering carried = numbering;  // what the path register adds up
    if (!options_.interesting.empty()) {
      if (shape.k_loops.size() > 0)
        return NumberingError{ErrorKind::BadIterations, shape.k_loops[0].loop.value};
      auto made = number_preferentially(shape.dag, numbering, options_.interesting);
      if (!made) return made.error();
      if (made->path_at.empty() || numbering.path_count > kDefaultPathLimit) {
        return NumberingError{ErrorKind::PathLimit};
      }
      for (size_t i = 0; i < carried.edge_value.size(); ++i) {
        carried.edge_value[i] += static_cast<uint64_t>(made->weight[i]) << 32;
      }
      preferential = std::move(*made);
    }
    Chords chords = make_chords(shape.dag, carried);
    EventPlan events = place_events(
        {graph_, shape.forest, shape.k_loops, windows_, shape.dag, numbering, chords, options_.array_limit});
    if (preferential) {
      events.paths = {TableKind::Preferential, preferential->table_size};
      for (PathNumber path : preferential->path_at) events.preferred.push_back(path.value);
    }
    const bool truncated = shape.forest.size() > forest_.size();
    return PathPlan{std::move(shape.forest),
                    std::move(shape.k_loops),
                    std::move(windows_),
                    std::move(shape.dag),
                    std::move(numbering),
                    std::move(preferential),
                    std::move(chords),
                    std::move(events),
                    truncated,
                    shortened_};
  }

  const FlowGraph& graph_;
  const LoopForest& forest_;
  const PlanOptions& options_;
  std::vector<uint8_t> iterations_;
  std::vector<double> weights_;
  std::vector<WindowLoop> windows_;  ///< one per k-loop
  bool shortened_ = false;
};

}  // namespace

Result<PathPlan> plan_paths(const FlowGraph& graph, const LoopForest& forest, const PlanOptions& options) {
  return Planner(graph, forest, options).run();
}

Result<PathPlan> plan_paths(const FlowGraph& graph, const PlanOptions& options) {
  return plan_paths(graph, LoopForest::find(graph), options);
}

}  // namespace mangata::numbering
