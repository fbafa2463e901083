// Contexts of a loop by what is known at its head, instead of by the paths that led there.
//
// [DESIGN] Histories that leave the same values in the registers that the loop's branches test are one context: a lexer with nine states
// has nine, however many paths lead from one state to another, and an iteration along a path that was never seen goes on in the context of
// the values that it leaves. Which registers are followed, and which values they have, says effects_of() along the counted runs.
//   * A register whose value decides nothing in a context, nor anything behind it before it is assigned anew, is no part of that
//     context: contexts that differ only there are one (the automaton is minimised by its facts).
//   * A register with more than `values` values is not followed, then those with the most, until the contexts are few enough; nor is one
//     without which next to nothing is lost.
//   * What is decided by facts, in cycles, has to be worth it: where nothing is, there are no such contexts.
// The optimizer makes one copy of the body for each context, in which the facts are constants: what tests them is gone. Code outside of
// contexts is one generic copy, the root, which enters a loop of contexts at one place, when the registers have its values.
// Pure: tested from literals, and on random automata.
//
// Read next: path_effects.h, loop_contexts.h, jit/region/README.md.
#pragma once

#include <optional>

#include "jit/region/loop_contexts.h"
#include "jit/region/path_effects.h"

namespace mangata::jit {

struct FactLimits {
  size_t values = 16;          ///< of one register
  size_t contexts = 24;  ///< of one loop, at most
  double hot_context = 0.002;  ///< share of all iterations from which facts get a context
  double hot_next = 0.25;      ///< share inside its context from which a path is copied without merges
  double covered = 0.6;        ///< share of all iterations that begin in contexts, at least
  double saved_share = 0.06;   ///< of an iteration's cycles that facts save, at least
  double register_share = 0.01;  ///< likewise, that each register adds, at least
};

/// Nothing: no values are known at the head, or they do not decide enough.
std::optional<LoopContexts> contexts_by_facts(const LoopPaths& paths, const PathCode& code, const FactLimits& limits = {});

/// Whether the contexts that histories make of the same loop are the better ones: their copies follow the iterations so much more often
/// that it is worth more than what facts decide.
bool histories_are_better(const LoopContexts& by_facts, const LoopContexts& by_history);

}  // namespace mangata::jit
