#include "profiler/edge_prediction.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace mangata {
namespace {

using numbering::CountedPath;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

class Pieces {
 public:
  explicit Pieces(const FunctionRecord& record) : record_(record), loops_(record.numbering.loops()) {}

  /// The path before one that begins in a k-loop has its first k-1 iterations as well.
  void add(const CountedFlow& flow) {
    size_t repeated = 0;
    if (flow.path.begin == PathBegin::Backedge) {
      repeated = record_.numbering.iterations(flow.path.begin_loop) - 1;
    }
    FlowPath piece = begin(flow.path.begin, flow.path.begin_loop, flow.path.blocks.front());
    for (size_t i = 0; i < flow.path.edges.size(); ++i) {
      const EdgeId edge = flow.path.edges[i];
      const LoopId cut = loops_.cut_by(edge);
      if (cut.is_none()) {
        piece.edges.push_back(edge);
        piece.blocks.push_back(flow.path.blocks[i + 1]);
        continue;
      }
      piece.finish = PathFinish::Backedge;
      piece.finish_loop = cut;
      keep(std::move(piece), flow.count, &repeated);
      piece = begin(PathBegin::Backedge, cut, flow.path.blocks[i + 1]);
    }
    piece.finish = flow.path.finish;
    piece.finish_loop = flow.path.finish_loop;
    keep(std::move(piece), flow.count, &repeated);
  }

  std::vector<CountedPath> take() {
    std::vector<CountedPath> paths;
    for (auto& [key, counted] : pieces_) paths.push_back(std::move(counted));
    return paths;
  }

 private:
  static FlowPath begin(PathBegin begin, LoopId loop, numbering::BlockId block) {
    return {.begin = begin, .begin_loop = loop, .blocks = {block}, .edges = {}, .finish_loop = {}};
  }

  void keep(FlowPath piece, uint64_t count, size_t* repeated) {
    if (*repeated > 0) {
      --*repeated;
      return;
    }
    const auto key =
        std::tuple(piece.begin_loop, piece.blocks.front(), piece.edges, piece.finish, piece.finish_loop);
    CountedPath& counted = pieces_[key];
    counted.path = std::move(piece);
    counted.count += count;
  }

  const FunctionRecord& record_;
  const numbering::LoopForest& loops_;
  std::map<std::tuple<LoopId, numbering::BlockId, std::vector<EdgeId>, PathFinish, LoopId>, CountedPath>
      pieces_;
};

}  // namespace

std::vector<CountedPath> acyclic_pieces(const FunctionRecord& record, const CountedFlows& flows) {
  Pieces pieces(record);
  for (const CountedFlow& flow : flows.paths) pieces.add(flow);
  for (const auto& windows : flows.windows) {
    for (const CountedFlow& flow : windows) pieces.add(flow);
  }
  // Iterations that were complete before their path was cut off are complete acyclic paths.
  for (const CountedFlow& flow : flows.cuts) pieces.add(flow);
  return pieces.take();
}

std::vector<CountedPath> acyclic_paths(const FunctionRecord& record, const CountedFlows& flows) {
  std::vector<CountedPath> paths = acyclic_pieces(record, flows);
  std::erase_if(paths,
                [](const CountedPath& counted) { return counted.path.finish == PathFinish::InFlight; });
  return paths;
}

EdgePredictor::EdgePredictor(const FunctionRecord& record, const CountedFlows& flows)
    : record_(record),
      paths_(acyclic_paths(record, flows)),
      edge_counts_(numbering::edge_counts_of_paths(record.shape.graph, record.numbering.loops(), paths_)) {}

EdgePrediction EdgePredictor::prediction(const PathTranslator& translator) const {
  uint64_t calls = 0;
  for (const CountedPath& counted : paths_)
    calls += counted.path.begin == PathBegin::Entry ? counted.count : 0;
  const auto predicted =
      numbering::predict_paths(record_.shape.graph, record_.numbering.loops(), edge_counts_, calls, paths_);
  EdgePrediction result;
  result.executions = predicted.executions;
  result.right = predicted.predicted_executions;
  if (!predicted.misleads) return result;
  if (!predicted.named) return result;
  const FlowPath& named = *predicted.named;
  result.misleads = true;
  result.named = translator.translate(named);
  for (const CountedPath& counted : paths_) {
    if (counted.path == named) result.named_count = counted.count;
  }
  return result;
}

uint64_t EdgePredictor::backedges(LoopId loop) const {
  uint64_t sum = 0;
  for (const CountedPath& counted : paths_) {
    if (counted.path.finish == PathFinish::Backedge && counted.path.finish_loop == loop) sum += counted.count;
  }
  return sum;
}

void EdgePredictor::add_named(const FlowPath& path, PathCount* counted) const {
  const FunctionShape& shape = record_.shape;
  const size_t edges = path.edges.size() + (path.finish == PathFinish::Backedge ? 1 : 0);
  const size_t named = numbering::expected_edges(shape.graph, record_.numbering.loops(), edge_counts_, path);
  for (size_t i = 0; i < edges; ++i) {
    if (shape.bytecodes_in(path.blocks[i]) == 0) continue;  // the second half of an arm, see path_shape_of
    ++counted->edges;
    if (i < named) ++counted->named_edges;
  }
  // The block that is left by an unexpected edge is reached, and so is the last one when all are expected.
  for (size_t i = 0; i < path.blocks.size() && i <= named; ++i) {
    counted->named_bytecodes += shape.bytecodes_in(path.blocks[i]);
  }
}

}  // namespace mangata
