// Contexts by facts, told apart by the paths that led to them where these tell what comes next.
//
// [DESIGN] Facts say what an iteration need not test; they do not say which way it goes where its input decides. Where the last paths
// predict that, a context becomes several, with the same facts and a history each. The automaton of facts and histories is minimised: two
// histories with the same facts are one context unless they predict differently, or lead to contexts that do. What was seen too rarely
// to predict stays in the context of its facts, as all do where telling them apart gains little.
// Pure: tested from literals.
//
// Read next: loop_facts.h.
#pragma once

#include <functional>

#include "jit/region/loop_contexts.h"

namespace mangata::jit {

struct SeparationLimits {
  double gain = 0.15;         ///< share of all iterations that are predicted in addition, at least
  double predicts = 0.75;     ///< share of its most frequent path from which a history predicts it
  double hot_next = 0.25;     ///< share of a path from which it matters where it leads
  double hot_context = 0.01;  ///< share of all iterations from which a history is looked at, and a context made
  size_t contexts = 24;  ///< of one loop, at most
};

/// context_of_run: of each of paths.runs, the context whose facts hold where its last iteration begins.
/// leads_to(context, path): the context whose facts hold behind it.
void separate_histories(const LoopPaths& paths, const std::vector<uint32_t>& context_of_run,
                        const std::function<uint32_t(uint32_t context, uint32_t path)>& leads_to, LoopContexts* loop,
                        const SeparationLimits& limits = {});

}  // namespace mangata::jit
