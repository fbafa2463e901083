// Reads the JSON vectors of numbering (schema: a list of vectors, see tests/golden/numbering/README.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numbering/flow_graph.h"
#include "numbering/loops.h"
#include "tests/unit/numbering/path_oracle.h"

namespace mangata::numbering::testing {

struct GoldenTrace {
  std::vector<EdgeId> edges;
  bool finished = true;
  KeyCounts counts;
  std::map<EdgeId, uint64_t> self_counts;
};

struct GoldenPreferential {
  std::vector<uint64_t> interesting;
  std::vector<int64_t> pids;
  uint64_t size = 0;
};

struct GoldenVector {
  std::string name;
  bool self_loops_are_counters = false;
  FlowGraph graph;
  LoopForest forest;
  std::vector<uint8_t> iterations;
  std::optional<uint64_t> path_count, acyclic_path_count;  ///< absent when the vector says null
  std::vector<std::string> paths;                          ///< empty when the vector lists none
  std::optional<GoldenPreferential> preferential;
  std::vector<GoldenTrace> traces;

  PathDefinition definition() const { return {graph, forest, iterations}; }
};

struct GoldenFile {
  std::vector<GoldenVector> vectors;
  std::vector<std::string> errors;  ///< what is malformed: one sentence per vector that could not be read
};

/// Never throws: a file that is no JSON, or vectors that make no sense, end up in `errors`.
/// With selfLoops = "counter" the self-loop edges are taken out of the graph: they lead from a block of their
/// own that nothing reaches, so that edge numbers stay as they are.
GoldenFile read_golden_file(const std::string& path);

/// Vectors of random graphs as a JSON text, one per line. Counts and traces are those of path_oracle.h; the
/// order of the listed paths is that of the split DAG (the reference order).
std::string make_golden_vectors(uint64_t first_seed, size_t count);

/// All *.json below the project's own golden folder and, when present, below $MANGATA_GOLDEN or
/// ../shared/golden. `missing` tells which folder was looked for in vain.
std::vector<std::string> golden_files(std::string* missing);

}  // namespace mangata::numbering::testing
