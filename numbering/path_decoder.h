// From a path number back to the path.
// Invariant: decoding inverts numbering; of a path in flight, decoding gives what has been executed of it.
// Read next: path_plan.h.
#pragma once

#include <string>
#include <vector>

#include "numbering/chords.h"

namespace mangata::numbering {

enum class PathBegin : uint8_t {
  Entry,
  Backedge
};  ///< at the procedure entry; after a backedge of `begin_loop`
enum class PathFinish : uint8_t {
  Exit,
  Backedge,
  InFlight
};  ///< InFlight: cut off inside its last block

/// A path in terms of the flow graph.
struct FlowPath {
  PathBegin begin = PathBegin::Entry;
  LoopId begin_loop;            ///< with PathBegin::Backedge: the row whose backedge was taken just before
  std::vector<BlockId> blocks;  ///< one at least
  std::vector<EdgeId> edges;    ///< between the blocks, so one less
  PathFinish finish = PathFinish::Exit;
  LoopId
      finish_loop;  ///< with PathFinish::Backedge: the row whose backedge ends the path (no part of `edges`)
  friend bool operator==(const FlowPath&, const FlowPath&) = default;
};

/// `start:blocks:end` with E or L<row> for the start, block numbers joined by `-`, and X, L<row> or `?` for
/// the end.
std::string path_key(const FlowPath& path);

/// One edge of a decoded path and which of its pieces was taken (0 unless the edge has a multiplicity).
struct DagStep {
  DagEdgeId edge;
  uint64_t piece = 0;  ///< 0..multiplicity-1
};

/// The edges of a path: at each node the last edge whose value does not exceed what is left [Ball & Larus
/// 1996, §3.5]. errors  BadPathNumber when the number is not below path_count cost    O(length · log of the
/// out-degree)
Result<std::vector<DagStep>> decode_steps(const PathDag& dag, const PathNumbering& numbering,
                                          PathNumber number);

/// The edges from Start to `stop` of the path with this number, when nothing of the number is left over
/// there: the prefix whose values add up to it. errors: BadPathNumber
Result<std::vector<DagStep>> decode_steps_to(const PathDag& dag, const PathNumbering& numbering,
                                             PathNumber number, DagNodeId stop);

/// The same as a path of blocks, for a DAG without edges of multiplicity above 1.
Result<FlowPath> decode_path(const FlowGraph& graph, const PathDag& dag, const PathNumbering& numbering,
                             PathNumber number);

/// The prefix of a path in flight: what was executed from its start up to `at`.
/// at              the node whose block was being executed when the path was cut off
/// path_register   the value of r in that block (events of edges into it executed, none of those out of it)
/// errors          BadPathNumber when no path has this register value at this node
Result<FlowPath> decode_prefix(const FlowGraph& graph, const PathDag& dag, const PathNumbering& numbering,
                               const Chords& chords, DagNodeId at, int64_t path_register);

/// Appends one step to a path. Edges of multiplicity above 1 are the business of path_plan_decode.cpp.
void append_step(const FlowGraph& graph, const DagEdge& edge, FlowPath& path);

}  // namespace mangata::numbering
