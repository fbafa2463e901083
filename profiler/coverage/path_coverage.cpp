#include "profiler/coverage/path_coverage.h"

#include <algorithm>
#include <limits>
#include <map>

#include "profiler/coverage/loop_stays.h"
#include "profiler/edge_prediction.h"

namespace mangata::coverage {
namespace {

using numbering::BlockId;
using numbering::CountedPath;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

/// A function with more is not counted by paths.
constexpr numbering::PathCount kMostPaths = kMostArrayPaths;
/// Of a function with more, those that were never taken are not listed: nobody reads so many.
constexpr uint64_t kMostListed = 1024;

ProfileOptions single_iterations() {
  return {.iterations = 1, .many_paths = ManyPaths::Refuse, .path_limit = kMostPaths, .array_limit = {}, .baseline = nullptr};
}

class PathLister {
 public:
  explicit PathLister(const FunctionRecord& record)
      : record_(record), shape_(record.shape), loops_(record.numbering.loops()), crowded_(crowded_lines(shape_)) {
    add_branches();
  }

  FunctionPaths list(const std::vector<CountedPath>& pieces, std::span<const ConditionPlace> conditions) {
    find_constant_ways(conditions);
    FunctionPaths paths = uncounted_paths(record_);
    paths.branches = branches_;
    const auto numbering = number_function(shape_, single_iterations());
    if (!numbering) return paths;
    for (const CountedPath& piece : pieces) {
      if (piece.path.finish != PathFinish::InFlight) paths.paths.push_back(covered(piece.path, piece.count));
    }
    sort_paths(&paths.paths);
    paths.possible = numbering->plan.path_count();
    if (paths.paths.empty() || *paths.possible > kMostListed) return paths;
    FunctionPaths all = paths;
    all.paths.clear();
    for (uint64_t number = 0; number < *paths.possible; ++number) {
      const auto flow = numbering->plan.decode(shape_.graph, numbering::PathNumber{number});
      if (flow && !is_impossible(*flow)) all.paths.push_back(covered(*flow, 0));
    }
    sort_paths(&all.paths);
    all.possible = all.paths.size();
    all.is_listed = true;
    add_run(&all, paths);
    return all;
  }

  int32_t column_in(int32_t line, int32_t column) const { return std::binary_search(crowded_.begin(), crowded_.end(), line) ? column : 0; }

 private:
  static constexpr uint32_t kNoBranch = UINT32_MAX;

  void add_branches() {
    for (size_t i = 0; i < shape_.blocks.size(); ++i) {
      const BlockShape& block = shape_.blocks[i];
      number_.push_back(kNoBranch);
      if (block.branch == BranchKind::None) continue;
      number_.back() = static_cast<uint32_t>(branches_.size());
      const int32_t line = shape_.last_line(BlockId(i));
      branches_.push_back({line, column_in(line, block.column), {outcome_of(block.branch, false), outcome_of(block.branch, true)}});
    }
  }

  /// The ways that constants forbid: past the body of a `for` over constants, or into it.
  void find_constant_ways(std::span<const ConditionPlace> conditions) {
    is_fixed_.assign(shape_.blocks.size(), true);
    for (const ConditionPlace& place : conditions) is_fixed_[shape_.graph.source(place.edges[0]).index()] = false;
    for (size_t i = 0; i < is_fixed_.size(); ++i) is_fixed_[i] = is_fixed_[i] && shape_.blocks[i].branch == BranchKind::SkipIfTaken;
  }

  /// A `for` over constants is taken to run: those that never do are not worth a word.
  bool is_impossible(const FlowPath& flow) const {
    return std::any_of(flow.edges.begin(), flow.edges.end(), [&](EdgeId edge) {
      const size_t source = shape_.graph.source(edge).index();
      return source < is_fixed_.size() && is_fixed_[source] && shape_.arms[edge.index()] == Arm::Taken;
    });
  }

  EdgeId last_edge(const FlowPath& flow) const {
    if (flow.finish != PathFinish::Backedge) return EdgeId::none();
    for (const EdgeId edge : shape_.graph.out_edges(flow.blocks.back())) {
      if (loops_.cut_by(edge) == flow.finish_loop) return edge;
    }
    return EdgeId::none();
  }

  CoveredPath covered(const FlowPath& flow, uint64_t count) const {
    CoveredPath path;
    path.count = count;
    if (flow.begin == PathBegin::Backedge) path.start = static_cast<int32_t>(flow.begin_loop.index());
    if (flow.finish == PathFinish::Backedge) path.end = static_cast<int32_t>(flow.finish_loop.index());
    for (const EdgeId edge : flow.edges) add_step(edge, &path);
    if (const EdgeId edge = last_edge(flow); !edge.is_none()) add_step(edge, &path);
    BlockId last = flow.blocks.back();
    if (last == shape_.graph.exit() && flow.blocks.size() > 1) last = flow.blocks[flow.blocks.size() - 2];
    path.end_line = last == shape_.graph.exit() ? record_.last_line_defined : shape_.last_line(last);
    return path;
  }

  void add_step(EdgeId edge, CoveredPath* path) const {
    const uint32_t branch = number_[shape_.graph.source(edge).index()];
    if (branch != kNoBranch) path->steps.push_back(2 * branch + (shape_.arms[edge.index()] == Arm::Taken ? 1 : 0));
  }

  const FunctionRecord& record_;
  const FunctionShape& shape_;
  const numbering::LoopForest& loops_;
  std::vector<int32_t> crowded_;
  std::vector<PathBranch> branches_;
  std::vector<uint32_t> number_;  ///< of branches_, per block
  std::vector<bool> is_fixed_;    ///< per block: a `for` over constants begins there
};

}  // namespace

ProfileOptions path_coverage_options() {
  ProfileOptions options = single_iterations();
  options.iterations = 2;
  options.max_memory_bytes = std::numeric_limits<size_t>::max();
  options.coverage = true;
  return options;
}

FunctionPaths uncounted_paths(const FunctionIdentity& function) {
  FunctionPaths paths;
  paths.name = function.display_name();
  paths.line = function.line_defined;
  paths.column = function.column_defined;
  return paths;
}

PathCoverage path_coverage(const FunctionRecord& record, const FunctionShape& plain, std::span<const ConditionPlace> conditions) {
  const CountedFlows flows = counted_flows(record);
  const std::vector<CountedPath> pieces = acyclic_pieces(record, flows);
  PathCoverage coverage;
  // The edges of path_shape_of are those of shape_of, and then some.
  coverage.edges.edge = numbering::edge_counts_of_paths(record.shape.graph, record.numbering.loops(), pieces);
  for (const CountedPath& piece : pieces) {
    if (piece.path.begin == PathBegin::Entry) coverage.edges.entries += piece.count;
  }
  for (const auto& [cut, count] : record.cuts) coverage.cuts[cut.pc] += count;
  PathLister lister(record);
  coverage.paths = lister.list(pieces, conditions);
  LoopStays stays(record, flows, pieces, coverage.edges.edge, conditions);
  for (const LoopId loop : record.numbering.loops().ids()) {
    CoveredLoop covered = stays.of(loop);
    covered.column = lister.column_in(covered.line, covered.column);
    coverage.paths.loops.push_back(covered);
  }
  coverage.edges.edge.resize(plain.graph.edge_count());
  return coverage;
}

}  // namespace mangata::coverage
