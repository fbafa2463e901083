// Paths through loops from what was recorded, where counters do not have them.
//
// [DESIGN] Counted paths end at every loop's head, so no counter has a path through an outer loop on which an inner one runs
// several times. The recorder has the branches in the order in which they went. Where an outer loop's iterations are short and
// take few paths, inner iterations and all, they are *flattened*: the outer loop gets contexts, and the inner ones, unrolled along
// its paths, none of their own. [Measured before: a convolution by 3x3 gains 6.8x so, a decoder of UTF-8 1.7x.]
// Where only acyclic paths are counted (--profile-paths), the recording also says which follow each other; and where nothing was
// counted of an innermost loop, what its paths are, two iterations back: 200 iterations make the same contexts as counts of 24,000 in all
// of bench/suite but `tokenizer`, whose rarest branches they miss (0.95).
//
// Read next: type_recorder.h, loop_contexts.h.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/region/loop_contexts.h"
#include "numbering/loops.h"
#include "profiler/function_shape.h"
#include "vm/bytecode/proto.h"

namespace mangata {
struct Value;
}

namespace mangata::jit {

/// A conditional branch, a backedge, the start of an activation, or a pause, behind which another part of the run begins.
struct BranchEvent {
  static constexpr OriginalPc kStart{-1}, kPause{-2};  ///< BranchEvent::pc of what is no branch
  const Value* base = nullptr;  ///< of the activation; of a pause: null
  OriginalPc pc{};              ///< or kStart, kPause
  OriginalPc next_pc{};         ///< where it went
};

/// How runs of up to `k` paths through the loop followed each other, of complete iterations but the first of each stay.
/// Empty where an iteration was very long.
/// @param body  per pc: in the loop
LoopPaths recorded_paths(const std::vector<BranchEvent>& events, const std::vector<Instruction>& code, OriginalPc head_pc,
                         const std::vector<bool>& body, unsigned k);

/// For each of `size` pcs whether it is in the loop.
std::vector<bool> body_of(const FunctionShape& shape, const numbering::LoopForest& forest, numbering::LoopId id, size_t size);

struct FlatteningLimits {
  uint64_t iterations = 50;   ///< at least so many recorded
  double coverage = 0.80;     ///< share of iterations on the hot paths, if nothing is looked back at
  size_t paths = 6;           ///< so many hot ones then, at most
  double inner = 16;          ///< iterations of inner loops in one of the outer, on average, at most
  double steps = 60;          ///< branches in one, on average
};

/// Whether contexts of this loop, made of recorded paths, pay more than contexts of the loops in it.
bool is_flat(const LoopContexts& loop, const LoopPaths& paths, const FlatteningLimits& limits = {});

/// To `counted`, the paths of innermost loops that it does not have, where enough iterations were recorded.
void add_recorded(const Proto& proto, const std::vector<BranchEvent>& events, unsigned k, std::vector<LoopPaths>* counted);

/// In `loops`, contexts of outer loops instead of those in them, where that pays; and of innermost loops of which only acyclic paths
/// were counted, contexts that look back, where those pay.
void use_recorded(const Proto& proto, const std::vector<BranchEvent>& events, const ContextLimits& limits,
                  std::vector<LoopContexts>* loops);

}  // namespace mangata::jit
