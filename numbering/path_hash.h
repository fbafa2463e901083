// Hashed path ids: the alternative to truncation for functions with too many paths to number.
// A path is a polynomial over random constants of the edges it chose, evaluated at a random point modulo 2^61
// - 1, in the same register that otherwise adds up values. Invariant: equal paths have equal ids; different
// ones almost always different ids, see collision_bound. Numbers cannot be decoded, so the table keeps one
// witness per id: the first path that had it. Read next: plan_interpreter.h.
#pragma once

#include "numbering/events.h"
#include "numbering/path_decoder.h"

namespace mangata::numbering {

/// 2^61 - 1, a prime.
constexpr uint64_t kHashModulus = (uint64_t{1} << 61) - 1;

/// (hash · multiplier + constant) mod 2^61 - 1; all arguments below the modulus.
uint64_t hash_step(uint64_t hash, uint64_t multiplier, uint64_t constant);

/// A path as it ran: what a table of hashed paths keeps.
struct PathWitness {
  LoopId begin_loop;          ///< none: the procedure entry
  std::vector<EdgeId> edges;  ///< without the backedge that ended it
  LoopId finish_loop;         ///< none: the exit
  friend bool operator==(const PathWitness&, const PathWitness&) = default;
};

FlowPath to_flow_path(const FlowGraph& graph, const LoopForest& forest, const PathWitness& witness);

/// Acyclic paths, none cut off. Only edges out of blocks with several successors take a step. The constants
/// follow from the seed, so that profiles of the same seed can be merged.
EventPlan plan_hashed_paths(const FlowGraph& graph, const LoopForest& forest, uint64_t seed);

/// Upper bound of the probability that any two of `paths` different paths of at most `steps` steps share an
/// id: the difference of two is a polynomial of degree at most `steps`, which has at most that many roots
/// among 2^61 - 1 points.
double collision_bound(uint64_t paths, uint64_t steps);

}  // namespace mangata::numbering
