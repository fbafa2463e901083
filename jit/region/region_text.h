// Regions as text: what --dump=region prints, and the contexts of a loop for logs.
//
// [DESIGN] Two texts make one dump. What was formed, and why, is known before anything is compiled and needs no
// LLVM; it is written from the same copy that the compiler works from. What came of it is added when the
// compiler has answered. Neither has times or addresses, so the same counts give the same text.
#pragma once

#include <functional>
#include <string>

#include "jit/region/region_input.h"
#include "jit/region/snapshot_function.h"

namespace mangata::jit {

/// How the branches of one function are called: "33:T".
using StepNamer = std::function<std::string(const BranchStep&)>;

/// By lines and outcomes, as reports of path profiles have them.
StepNamer steps_of(const Proto& proto);

/// How a register is called at the head of a loop: "state".
using RegisterNamer = std::function<std::string(OriginalPc head_pc, uint16_t reg)>;

/// By the local variable that is there.
RegisterNamer registers_of(const Proto& proto);

/// What a context by facts knows: "state = 2, mode = \"word\"".
std::string facts_text(const KnownRegisters& facts, OriginalPc head_pc, const RegisterNamer& registers);

/// The profitability check's decision and its reason, the paths, and a line for each context and each of its hot paths.
std::string loop_text(const LoopContexts& loop, const StepNamer& steps, const RegisterNamer& registers = {}, const ContextLimits& limits = {});

/// For a line of a log: "loop 14 by 3 contexts over 2 iterations (acc 0.50, 1.00)", or "loop 14 by 4 contexts, of state, which decide 1.9
/// branches of an iteration".
std::string summary_text(const std::vector<LoopContexts>& loops, const RegisterNamer& registers);

/// What was counted to form the region: "facts", "k", "acyclic", "edges" or "off", as --opt-paths has them.
std::string_view paths_word(unsigned most_iterations, bool knows_edges, bool uses_facts = false);

/// A region's own function as it was before anything was added to it.
struct RegionSource {
  const RegionRoot& root;
  const std::vector<Instruction>& code;  ///< of `root`
  const std::vector<LoopContexts>& loops;  ///< of the region, that have contexts
};

/// What was formed: where it is entered, whose code is in it, and for each of its loops contexts, or why it has none.
std::string region_text(const RegionSource& source, const RegionInput& input, std::string_view paths, const StepNamer& steps,
                        const RegisterNamer& registers = {}, const ContextLimits& limits = {});

/// What the compiler has made of it; empty when it has failed.
std::string outcome_text(const RegionCode& code);

}  // namespace mangata::jit
