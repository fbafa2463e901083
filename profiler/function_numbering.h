// How the paths of one function are told apart: numbered, some of them over several iterations, or hashed.
//
// Invariant: `plan` describes the installed events unless `hashed` is there, which then replaces it. Read
// next: numbering/path_plan.h, numbering/path_hash.h, profiler/hashed_paths.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numbering/path_hash.h"
#include "numbering/path_plan.h"
#include "profiler/function_shape.h"
#include "profiler/profile_options.h"

namespace mangata {

/// Acyclic paths with hashed ids; none is cut for having too many others beside it.
struct HashedPaths {
  numbering::LoopForest loops;  ///< without rows of truncation
  numbering::EventPlan events;  ///< whose register is a hash
};

struct FunctionNumbering {
  numbering::PathPlan plan;
  std::optional<HashedPaths> hashed;  ///< of a function with too many paths, with ManyPaths::Hash
  std::vector<uint8_t> wanted;  ///< the k asked for, per row of LoopForest::find; what is installed may be less

  const numbering::EventPlan& events() const { return hashed ? hashed->events : plan.events; }
  const numbering::LoopForest& loops() const { return hashed ? hashed->loops : plan.loops; }
  /// The installed k of a row of loops().
  unsigned iterations(numbering::LoopId loop) const { return hashed ? 1 : plan.k_loops.k(loop); }
  /// Loops with k >= 2.
  size_t window_count() const { return events().windows.size(); }
  /// The path register also holds windows, and r modulo 2^32 (vm/interpreter/path_event.h).
  bool is_packed() const { return window_count() != 0; }
  /// A value of r as the path register holds it outside of loops with windows.
  uint64_t in_word(uint64_t value) const { return is_packed() ? value & UINT32_MAX : value; }

  /// What the path register holds in `block`, as far as it means anything there: equal states are equal
  /// paths.
  numbering::ActivationState unpack(numbering::BlockId block, uint64_t word) const;
};

/// The k of each row of the forest that a function profiled over `k` iterations has: k where a loop may have it, else 1.
std::vector<uint8_t> iterations_of_loops(const numbering::FlowGraph& graph, const numbering::LoopForest& forest, unsigned k);

/// `interesting`: not empty: count these paths through a compact table (numbering::PlanOptions); they are numbers that the same
/// call without them gives, and no loop may have k >= 2.
/// errors  as numbering::plan_paths; PathLimit when the compact table would not be compact, or with ManyPaths::Refuse
numbering::Result<FunctionNumbering> number_function(const FunctionShape& shape, const ProfileOptions& options,
                                                     std::span<const numbering::PathNumber> interesting = {});
/// The same with a k for each row of LoopForest::find(graph), instead of options.iterations.
numbering::Result<FunctionNumbering> number_function(const FunctionShape& shape, const ProfileOptions& options,
                                                     std::span<const uint8_t> iterations,
                                                     std::span<const numbering::PathNumber> interesting);

}  // namespace mangata
