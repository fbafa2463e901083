#include "profiler/coverage/loop_stays.h"

#include <algorithm>

namespace mangata::coverage {
namespace {

using numbering::BlockId;
using numbering::CountedPath;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

}  // namespace

CoveredLoop LoopStays::of(LoopId id) {
  const numbering::Loop& row = record_.numbering.loops()[id];
  CoveredLoop loop;
  loop.line = line_of_loop(record_.shape, row);
  loop.column = column_of_loop(record_.shape, row);
  if (row.kind != numbering::LoopKind::Natural) return loop;
  Places places{.loop = id, .head = row.head, .is_body = {}, .is_test = {}};
  places.is_body.resize(record_.shape.graph.block_count(), false);
  places.is_test.resize(record_.shape.graph.block_count(), false);
  for (const BlockId block : record_.numbering.loops().body(record_.shape.graph, id)) places.is_body[block.index()] = true;
  const BlockId start = numeric_start(places);
  if (start.is_none()) find_test(&places);
  add_pieces(places, &loop);
  if (start.is_none()) {
    loop.may_be_left_out = std::find(places.is_test.begin(), places.is_test.end(), true) != places.is_test.end();
  } else {
    add_numeric(places, start, &loop);
  }
  if (record_.numbering.iterations(id) >= 2) {
    loop.once_least = loop.once_most = stays_of_one(places);
    return loop;
  }
  const uint64_t further = loop.iterations - loop.entered;
  loop.once_most = loop.entered - std::min<uint64_t>(loop.entered, further == 0 ? 0 : 1);
  loop.once_least = loop.entered - std::min(loop.entered, further);
  return loop;
}

bool LoopStays::is_condition(BlockId block) const {
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [&](const ConditionPlace& place) { return record_.shape.graph.source(place.edges[0]) == block; });
}

/// The block in front of a numeric `for`; none of other loops.
BlockId LoopStays::numeric_start(const Places& places) const {
  for (const EdgeId edge : record_.shape.graph.in_edges(places.head)) {
    const BlockId source = record_.shape.graph.source(edge);
    const bool is_start = record_.shape.blocks[source.index()].branch == BranchKind::SkipIfTaken;
    if (is_start && !places.is_body[source.index()] && record_.shape.arms[edge.index()] == Arm::Fallthrough) return source;
  }
  return BlockId::none();
}

bool LoopStays::leaves(const Places& places, EdgeId edge) const {
  return places.is_body[record_.shape.graph.source(edge).index()] && !places.is_body[record_.shape.graph.target(edge).index()];
}

/// Whether the edge ends the iteration, itself or by a block that is nothing but a jump.
bool LoopStays::goes_straight_back(const Places& places, EdgeId edge) const {
  const FunctionShape& shape = record_.shape;
  const numbering::LoopForest& loops = record_.numbering.loops();
  if (loops.cut_by(edge) == places.loop) return true;
  const BlockId target = shape.graph.target(edge);
  const auto out = shape.graph.out_edges(target);
  return out.size() == 1 && shape.bytecodes_in(target) <= 1 && loops.cut_by(out[0]) == places.loop;
}

/// The blocks of the loop's own condition: none of a `repeat` whose body is its head. (A `while` without a body is the same code.)
void LoopStays::find_test(Places* places) const {
  const FunctionShape& shape = record_.shape;
  const BlockShape& head = shape.blocks[places->head.index()];
  const auto ends_iteration = [&](EdgeId edge) { return goes_straight_back(*places, edge); };
  const auto out = shape.graph.out_edges(places->head);
  if (head.branch == BranchKind::None || std::any_of(out.begin(), out.end(), ends_iteration)) return;
  places->is_test[places->head.index()] = true;
  if (head.branch != BranchKind::LoopIfTaken) add_test_chain(places);
  bool is_left = false;
  for (const EdgeId edge : shape.graph.edges()) is_left = is_left || (leaves(*places, edge) && places->is_test[shape.graph.source(edge).index()]);
  if (!is_left) std::fill(places->is_test.begin(), places->is_test.end(), false);
}

/// `while a and b do`: further operands on the line of the first.
void LoopStays::add_test_chain(Places* places) const {
  const FunctionShape& shape = record_.shape;
  const int32_t line = shape.last_line(places->head);
  for (size_t i = 0; i < shape.blocks.size(); ++i) {
    const BlockId block(i);
    const bool may_belong = places->is_body[i] && block != places->head && shape.blocks[i].branch != BranchKind::None &&
                            shape.first_line(block) == line && shape.last_line(block) == line;
    const auto in = shape.graph.in_edges(block);
    if (may_belong && std::all_of(in.begin(), in.end(), [&](EdgeId edge) { return places->is_test[shape.graph.source(edge).index()]; })) {
      places->is_test[i] = true;
    }
  }
}

void LoopStays::add_numeric(const Places& places, BlockId start, CoveredLoop* loop) const {
  const FunctionShape& shape = record_.shape;
  loop->may_be_left_out = is_condition(start);
  for (const EdgeId edge : shape.graph.out_edges(start)) {
    if (shape.arms[edge.index()] == Arm::Taken) loop->left_out = edges_[edge.index()];
  }
  if (loop->may_be_left_out) return;
  loop->is_fixed = true;
  for (const EdgeId edge : shape.graph.edges()) {
    const BranchKind branch = leaves(places, edge) ? shape.blocks[shape.graph.source(edge).index()].branch : BranchKind::LoopIfTaken;
    if (branch != BranchKind::LoopIfTaken) loop->is_fixed = false;
  }
}

/// A piece comes to the head at most once: where it goes back, it ends.
void LoopStays::add_pieces(const Places& places, CoveredLoop* loop) const {
  for (const auto& [path, count] : pieces_) {
    const auto at = std::find(path.blocks.begin(), path.blocks.end(), places.head);
    if (at == path.blocks.end()) continue;
    const bool comes_from_outside = at != path.blocks.begin() || path.begin != PathBegin::Backedge || path.begin_loop != places.loop;
    auto place = static_cast<size_t>(at - path.blocks.begin());
    while (place < path.edges.size() && !leaves(places, path.edges[place])) ++place;
    const bool is_in_test = places.is_test[path.blocks[place].index()];
    if (is_in_test && path.finish == PathFinish::InFlight && place == path.edges.size()) continue;
    if (!is_in_test || place == path.edges.size()) {
      loop->iterations += count;
      if (comes_from_outside) loop->entered += count;
    } else if (comes_from_outside) {
      loop->left_out += count;
    }
  }
}

/// Of a loop whose iterations are counted in pairs: a path that enters it shows whether there is a third.
uint64_t LoopStays::stays_of_one(const Places& places) const {
  uint64_t stays = 0;
  for (const auto* flows : {&flows_.paths, &flows_.cuts}) {
    for (const CountedFlow& flow : *flows) {
      if (iterations_begun(places, flow.path) == 1) stays += flow.count;
    }
  }
  return stays;
}

/// In a stay that begins on the path; 0 if none does; 2 stands for more than one.
uint64_t LoopStays::iterations_begun(const Places& places, const FlowPath& path) const {
  size_t place = 0;
  // What begins at the loop itself is the rest of an earlier stay.
  if (path.begin == PathBegin::Backedge && path.begin_loop == places.loop) return 0;
  while (place < path.blocks.size() && path.blocks[place] != places.head) ++place;
  if (place == path.blocks.size()) return 0;
  uint64_t begun = 0;
  for (; place < path.edges.size() && !leaves(places, path.edges[place]); ++place) {
    if (record_.numbering.loops().cut_by(path.edges[place]) == places.loop) ++begun;
  }
  const bool is_in_test = places.is_test[path.blocks[place].index()];
  const bool goes_back = path.finish == PathFinish::Backedge && place == path.edges.size();
  if (goes_back) return 2;
  return std::min<uint64_t>(2, begun + (is_in_test ? 0 : 1));
}

}  // namespace mangata::coverage
