// Which iterations of a loop get copies of their own: the region former.
//
// [DESIGN] Input: how often each run of k paths through the loop was seen. A *context* is the sequence of the
// last few paths; its hot next paths, and the context that each of them leads to, make a graph, the
// path-successor graph. The optimizer copies the loop's body once for each context and each hot path in it
// (tail duplication), so what a path fixes is known in the next iteration. Everything else goes through one
// generic copy, which leads back to the root.
//
//     root (no history) --path that leads to the head--> head context --> ... contexts ... --> head
//          ^                                              |
//          +---------------- generic copy <-- cold arms --+
//
// The root enters each loop of contexts at one place only, its head, so that the loops that LLVM sees have one entry. (Contexts that
// never lead to each other are several loops: a flag that does not change while the loop runs makes two.) With k = 1 there are two contexts, the root and the steady state: the first is a peeled iteration, behind which
// what is invariant is known.
//
// The profitability check: contexts only where looking back predicts (Limits). Pure: tested from literals.
// Read next: profiler/loop_paths.h, region_text.h (how it prints), jit/region/README.md.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/region/path_effects.h"
#include "profiler/loop_paths.h"

namespace mangata::jit {

struct LoopContexts {
  struct Next {
    uint32_t path = 0;  ///< index in `paths`, of the iteration that is taken next
    uint32_t context = 0;  ///< that it leads to
    double share = 0;      ///< of the executions of this context
    uint64_t count = 0;    ///< how often it was seen there
    bool is_hot = true;    ///< copied without merges; in contexts by facts, others share code
    friend bool operator==(const Next&, const Next&) = default;
  };
  struct Context {
    std::vector<uint32_t> history;  ///< paths, oldest first; of the root: none
    KnownRegisters facts;           ///< where contexts are by facts: what is known when it begins
    double decided = 0;             ///< branches that these decide in an iteration, on average
    std::vector<Next> next;         ///< hottest first
    double share = 0;               ///< of all iterations
    uint64_t count = 0;             ///< iterations that were seen to begin in it
  };
  /// What the profitability check has found.
  enum class Profitability : uint8_t {
    Predicts,       ///< acc(k) is high, and higher than acc(1): contexts over k iterations
    NotAccurate,    ///< no acc(k) is high enough
    NothingGained,  ///< acc(k) is high, but so is acc(1)
    Acyclic,        ///< single iterations were counted, or are all that may be used
    Folds,          ///< what is known at the head decides branches: contexts by facts (loop_facts.h)
  };

  OriginalPc head_pc{};  ///< of the loop
  int32_t line = -1;  ///< of the head; -1: not known
  uint64_t iterations = 0;       ///< that were counted
  unsigned k = 1;                ///< chosen
  Profitability profitability = Profitability::Acyclic;
  std::vector<double> accuracy;  ///< acc(1), ..., as far as was counted
  std::vector<LoopPath> paths;
  std::vector<Context> contexts;  ///< the root first
  RegisterSet followed;           ///< registers that facts are about
  std::vector<uint32_t> entries;  ///< contexts by facts that the root may lead to
  std::vector<bool> body;         ///< likewise, by OriginalPc: in the loop
  double saved_share = 0;         ///< of an iteration, by facts
  bool is_by_facts() const { return followed.any(); }
  /// The one with the most facts of those that hold; 0: the root.
  uint32_t context_of(const KnownRegisters& known) const {
    uint32_t best = 0;
    for (uint32_t i = 1; i < contexts.size(); ++i) {
      if (known.implies(contexts[i].facts) && (best == 0 || contexts[i].facts.size() > contexts[best].facts.size())) best = i;
    }
    return best;
  }
};

/// The same loop in the version of the code that a region is made from: where that has its places.
struct PlacedLoop {
  struct Step {
    CodePc pc{};         ///< of a branch
    bool taken = false;  ///< it jumped
    friend bool operator==(const Step&, const Step&) = default;
  };
  LoopContexts formed;                   ///< with places in the original code
  CodePc head_pc{};                      ///< LoopContexts::head_pc
  std::vector<std::vector<Step>> paths;  ///< LoopContexts::paths
  std::vector<bool> body;                ///< LoopContexts::body, by CodePc
};

struct ContextLimits {
  double accuracy = 0.75;      ///< acc(k) from which contexts pay
  double gain = 0.15;          ///< of acc(k) over acc(1)
  double further_gain = 0.05;  ///< of each further iteration
  double hot_next = 0.05;      ///< share inside its context from which a path is copied
  double hot_context = 0.01;   ///< share of all iterations from which a context is
  size_t contexts = 24;  ///< of one loop, at most
  size_t steps = 400;  ///< branches in all copies together
  unsigned k = 8;      ///< 1: acyclic paths only
};

LoopContexts form_contexts(const LoopPaths& paths, const ContextLimits& limits = {});

}  // namespace mangata::jit
