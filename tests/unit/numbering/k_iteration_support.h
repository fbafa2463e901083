// One graph, one loop table, one k per loop, and the three forms of multi-iteration paths side by side.
// Invariant: check() compares everything with path_oracle.h and reports the first difference as text.
#pragma once

#include <string>

#include "numbering/path_plan.h"
#include "tests/unit/numbering/path_oracle.h"

namespace mangata::numbering::testing {

struct KCase {
  FlowGraph graph;
  LoopForest forest;
  std::vector<uint8_t> iterations;
};

/// A random graph, structured or arbitrary, with loops that share heads at times told apart, and a random k
/// for every loop that can have one.
KCase random_k_case(uint64_t seed);

struct KCheckOptions {
  size_t most_paths = 3000;  ///< path sets larger than this are not enumerated
  bool use_chords = true;
  bool paths = true;                             ///< compare the sets of paths
  std::vector<std::string> expected_paths = {};  ///< in the reference order; empty: not compared
};

/// Everything that can be checked of the path sets and of the given traces: forms (a), (b) and (c) against
/// the oracle, ids, decoding, encoding, and paths in flight. Empty when all is well.
std::string check_k_paths(const KCase& test, const std::vector<std::vector<EdgeId>>& traces,
                          const KCheckOptions& options = {});

}  // namespace mangata::numbering::testing
