// From hashed path ids back to paths, along the links that counting leaves behind.
//
// Invariant: only branches take hash steps, so between two steps a path has no choice. Read next:
// vm/interpreter/path_event.h (HashLink), numbering/path_hash.h.
#pragma once

#include <optional>

#include "profiler/function_numbering.h"
#include "vm/interpreter/path_event.h"

namespace mangata {

/// Links that every path starts from: its entry, or the start of a loop.
void add_hash_starts(const HashedPaths& paths, PathCounters& counters);

/// The path that was counted as `id`; none when nothing was.
std::optional<numbering::FlowPath> hashed_path(const numbering::FlowGraph& graph, const HashedPaths& paths,
                                               const PathCounters& counters, uint64_t id);

/// The prefix of a path in flight, when control is in `block` and the path register is `id`.
std::optional<numbering::FlowPath> hashed_prefix(const numbering::FlowGraph& graph, const HashedPaths& paths,
                                                 const PathCounters& counters, numbering::BlockId block,
                                                 uint64_t id);

/// The longest path that can be counted, in hash steps: what numbering::collision_bound asks for.
uint64_t most_hash_steps(const numbering::FlowGraph& graph);

}  // namespace mangata
