// The judge: paths enumerated and traces cut by the definition of a path, with none of the machinery under
// test. Invariant: uses only the flow graph, the rows of the loop table and their bodies. Everything is
// compared as text keys `start:blocks:end`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "numbering/loops.h"

namespace mangata::numbering::testing {

using KeyCounts = std::map<std::string, uint64_t>;

/// A loop table with one k per row; rows without an entry have k = 1.
struct PathDefinition {
  const FlowGraph& graph;
  const LoopForest& forest;
  std::vector<uint8_t> iterations;

  unsigned k(LoopId loop) const { return loop.index() < iterations.size() ? iterations[loop.index()] : 1; }
};

struct TraceResult {
  KeyCounts counts;  ///< completed paths
  std::string
      in_flight;  ///< key of the path in flight with `?` as its end, empty when the trace reached the exit
};

/// Cuts a trace of edges from the entry into paths.
TraceResult cut_trace(const PathDefinition& definition, const std::vector<EdgeId>& trace);

/// All valid paths, as a multiset of keys; nothing when there are more than `most`.
std::optional<KeyCounts> all_paths(const PathDefinition& definition, size_t most);

}  // namespace mangata::numbering::testing
