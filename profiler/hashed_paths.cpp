#include "profiler/hashed_paths.h"

#include <algorithm>

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::Event;
using numbering::EventKind;
using numbering::FlowGraph;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

LoopId row_of(const HashLink& link) {
  return link.index == PathEventRecord::kNoLoop ? LoopId::none() : LoopId(size_t{link.index});
}

struct Trail {
  LoopId begin;               ///< none: the entry
  std::vector<EdgeId> steps;  ///< the arms taken, in order
};

/// Goes back from `id` to where its path started.
std::optional<Trail> trail_to(const PathCounters& counters, uint64_t id) {
  Trail trail;
  for (;;) {
    const auto found = counters.hash_links.find(id);
    if (found == counters.hash_links.end()) return {};
    const HashLink& link = found->second;
    if (link.kind == HashLink::Kind::Start) {
      trail.begin = row_of(link);
      std::reverse(trail.steps.begin(), trail.steps.end());
      return trail;
    }
    // A path has no cycles: a trail that is longer runs in circles, because ids collided.
    if (link.kind == HashLink::Kind::End || trail.steps.size() > counters.hash_links.size()) return {};
    trail.steps.emplace_back(size_t{link.index});
    id = link.before;
  }
}

/// Goes forward again. Stops where the trail leaves no choice to be made: in `stop`, at the exit, or in front
/// of an edge that `loops` cuts or a branch whose arm is not on the trail.
FlowPath walk(const FlowGraph& graph, const HashedPaths& paths, const Trail& trail, BlockId stop) {
  FlowPath path;
  path.begin = trail.begin.is_none() ? PathBegin::Entry : PathBegin::Backedge;
  path.begin_loop = trail.begin;
  path.blocks.push_back(trail.begin.is_none() ? graph.entry() : paths.loops[trail.begin].head);
  size_t step = 0;
  for (;;) {
    const BlockId block = path.blocks.back();
    if (block == graph.exit() || (block == stop && step == trail.steps.size())) return path;
    const auto edges = graph.out_edges(block);
    if (edges.size() > 1 && step == trail.steps.size()) return path;
    const EdgeId edge = edges.size() > 1 ? trail.steps[step++] : edges.front();
    if (!paths.loops.cut_by(edge).is_none() || graph.source(edge) != block) return path;
    path.edges.push_back(edge);
    path.blocks.push_back(graph.target(edge));
  }
}

}  // namespace

void add_hash_starts(const HashedPaths& paths, PathCounters& counters) {
  const auto add = [&](const Event& event, uint32_t row) {
    const auto id = static_cast<uint64_t>(event.start);
    counters.hash_links[id] = {.before = id, .index = row, .kind = HashLink::Kind::Start};
  };
  add(paths.events.at_entry.front(), PathEventRecord::kNoLoop);
  for (const Event& event : paths.events.events) {
    if (event.kind == EventKind::HashCount && event.index != Event::kNoLoop) add(event, event.index);
  }
}

std::optional<FlowPath> hashed_path(const FlowGraph& graph, const HashedPaths& paths,
                                    const PathCounters& counters, uint64_t id) {
  const auto end = counters.hash_links.find(id);
  if (end == counters.hash_links.end() || end->second.kind != HashLink::Kind::End) return {};
  const auto trail = trail_to(counters, end->second.before);
  if (!trail) return {};
  FlowPath path = walk(graph, paths, *trail, BlockId::none());
  path.finish_loop = row_of(end->second);
  path.finish = path.finish_loop.is_none() ? PathFinish::Exit : PathFinish::Backedge;
  return path;
}

std::optional<FlowPath> hashed_prefix(const FlowGraph& graph, const HashedPaths& paths,
                                      const PathCounters& counters, BlockId block, uint64_t id) {
  const auto trail = trail_to(counters, id);
  if (!trail) return {};
  FlowPath path = walk(graph, paths, *trail, block);
  if (path.blocks.back() != block) return {};
  path.finish = PathFinish::InFlight;
  return path;
}

uint64_t most_hash_steps(const FlowGraph& graph) {
  // No block occurs twice on an acyclic path; one step more ends it.
  uint64_t steps = 1;
  for (const BlockId block : graph.blocks()) {
    if (graph.out_edges(block).size() > 1) ++steps;
  }
  return steps;
}

}  // namespace mangata
