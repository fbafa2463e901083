// Edge profiles: which edges to count, all others by flow conservation, and what they would say about paths.
// Invariant: flow into a block equals flow out of it; activations that were cut off inside a block are known
// by block. [Ball & Larus 1996, figure 3 and §6; the tutorial on edge and path profiling]
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numbering/path_decoder.h"

namespace mangata::numbering {

struct EdgeProfilePlan {
  std::vector<EdgeId> counted;   ///< chords of a maximum-weight spanning tree: only these carry a counter
  std::vector<char> is_counted;  ///< per EdgeId
};

/// weights  per EdgeId (static_edge_weights, or a profile); heavy edges are left without a counter
/// cost     O(E log E)
EdgeProfilePlan plan_edge_profile(const FlowGraph& graph, std::span<const double> weights);

struct EdgeCounts {
  std::vector<uint64_t> edge;  ///< per EdgeId
  uint64_t entries = 0;        ///< activations; not derivable when entry and exit are one block (0)
};

/// All edge counts from those of the chords.
/// chord_counts  in the order of plan.counted
/// cut_off       per block, activations that ended inside it without leaving it (an error, a kill, still
/// running); may be
///               empty. Activations that reached the exit are not among them.
/// errors        BadPathNumber when the counts contradict each other (a count would be negative)
/// cost          O(V + E)
Result<EdgeCounts> derive_edge_counts(const FlowGraph& graph, const EdgeProfilePlan& plan,
                                      std::span<const uint64_t> chord_counts,
                                      std::span<const uint64_t> cut_off = {});

struct CountedPath {
  FlowPath path;
  uint64_t count = 0;  ///< executions
};

/// The edge counts that a path profile implies: each path runs through its edges, and one that ends by a
/// backedge takes one of the row's backedges from its last block (the first, when parallel). Multi-iteration
/// paths overlap: pass acyclic ones. Saturating.
std::vector<uint64_t> edge_counts_of_paths(const FlowGraph& graph, const LoopForest& forest,
                                           std::span<const CountedPath> paths);

/// The edge by which an edge profile expects control to leave a block: the most frequent, of equals the
/// first.
EdgeId expected_edge(const FlowGraph& graph, std::span<const uint64_t> edge_counts, BlockId block);

/// How many edges of a path, from its beginning to the first that is not the expected one, an edge profile
/// names. The backedge that ends a path is one of its edges; the path is named whole when all of them are.
size_t expected_edges(const FlowGraph& graph, const LoopForest& forest, std::span<const uint64_t> edge_counts,
                      const FlowPath& path);

struct EdgePrediction {
  uint64_t executions = 0;            ///< of all paths
  uint64_t predicted_executions = 0;  ///< of those that edges name
  double share() const {
    return executions == 0 ? 1 : static_cast<double>(predicted_executions) / static_cast<double>(executions);
  }
  std::optional<FlowPath>
      named;  ///< what edges name from the most frequent beginning; none when nothing has begun
  bool misleads =
      false;  ///< the path executed most is not the one that edges name first, and was executed more often
};

/// Edges name one path from each beginning: one follows the most frequent edge out of each block until the
/// path ends. How many of the executed paths these are. Acyclic paths. (Those that are named are not kept:
/// where loops follow each other each may be as long as the function.)
EdgePrediction predict_paths(const FlowGraph& graph, const LoopForest& forest,
                             std::span<const uint64_t> edge_counts, uint64_t entries,
                             std::span<const CountedPath> paths);

}  // namespace mangata::numbering
