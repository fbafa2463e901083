#include "profiler/coverage/loop_stays.h"

#include <algorithm>
#include <string_view>

namespace mangata::coverage {
namespace {

using numbering::BlockId;
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

/// Whether it is a `while` whose condition begins in the line of the keyword: what the compiler notes of a backedge is the keyword.
bool LoopStays::is_while(const Places& places) const {
  const auto& backedges = record_.numbering.loops()[places.loop].backedges;
  return std::any_of(backedges.begin(), backedges.end(), [&](EdgeId edge) {
    const BlockShape& tail = record_.shape.blocks[record_.shape.graph.source(edge).index()];
    return tail.branch == BranchKind::None && tail.condition_length == static_cast<int32_t>(std::string_view("while").size());
  });
}

void LoopStays::find_test(Places* places) const {
  const FunctionShape& shape = record_.shape;
  const BlockShape& head = shape.blocks[places->head.index()];
  const bool is_generic_for = head.branch == BranchKind::LoopIfTaken;
  if (head.branch == BranchKind::None || (!is_generic_for && !is_while(*places))) return;
  places->is_test[places->head.index()] = true;
  if (!is_generic_for) add_test_chain(places);
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

/// Whether the path ends by going back to a loop around this one.
bool LoopStays::leaves_at_end(const Places& places, const FlowPath& path) const {
  return path.finish == PathFinish::Backedge && !places.is_body[record_.numbering.loops()[path.finish_loop].head.index()];
}

/// Where a stay that goes on at `place` ends on the path, and how.
LoopStays::Rest LoopStays::rest_of_stay(const Places& places, const FlowPath& path, size_t place) const {
  Rest rest;
  for (; place < path.edges.size() && !leaves(places, path.edges[place]); ++place) {
    if (record_.numbering.loops().cut_by(path.edges[place]) == places.loop) ++rest.backedges;
  }
  rest.is_left = place < path.edges.size() || leaves_at_end(places, path);
  rest.is_in_test = places.is_test[path.blocks[place].index()];
  rest.goes_on = !rest.is_left && path.finish == PathFinish::Backedge;
  return rest;
}

/// A piece comes to the head at most once: where it goes back, it ends.
void LoopStays::add_pieces(const Places& places, CoveredLoop* loop) const {
  for (const auto& [path, count] : pieces_) {
    const auto at = std::find(path.blocks.begin(), path.blocks.end(), places.head);
    if (at == path.blocks.end()) continue;
    const bool comes_from_outside = at != path.blocks.begin() || path.begin != PathBegin::Backedge || path.begin_loop != places.loop;
    const Rest rest = rest_of_stay(places, path, static_cast<size_t>(at - path.blocks.begin()));
    if (!rest.is_in_test || rest.goes_on) {
      loop->iterations += count;
      if (comes_from_outside) loop->entered += count;
    } else if (comes_from_outside && rest.is_left) {
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

/// In a stay that begins on the path; 0 if none does.
uint64_t LoopStays::iterations_begun(const Places& places, const FlowPath& path) const {
  // What begins at the loop itself is the rest of an earlier stay.
  if (path.begin == PathBegin::Backedge && path.begin_loop == places.loop) return 0;
  const auto at = std::find(path.blocks.begin(), path.blocks.end(), places.head);
  if (at == path.blocks.end()) return 0;
  const Rest rest = rest_of_stay(places, path, static_cast<size_t>(at - path.blocks.begin()));
  return rest.backedges + (rest.goes_on ? 2 : rest.is_in_test ? 0
                                                              : 1);
}

}  // namespace mangata::coverage
