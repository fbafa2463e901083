// What runtime calls do first and last: publishing the state of the machine, and the outcome for compiled code.
#pragma once

#include "jit/abi/frame_layout.h"
#include "jit/abi/tier.h"
#include "vm/interpreter/compiled_frame.h"

namespace mangata::jit {

/// The state of the machine that the interpreter would have: errors, hooks and collections may look from here on.
inline void publish(Thread* thread, Value* base, const Instruction* pc) {
  thread->base = base;
  frame_of(base)->saved_pc = pc;
  thread->top = frame_top(base);
}
/// The same for instructions that consume an open number of values: the top says where they end.
inline void publish_open(Thread* thread, Value* base, const Instruction* pc) {
  thread->base = base;
  frame_of(base)->saved_pc = pc;
}

/// Whether compiled code must hand its frame to the interpreter: debug hooks have come up, or a test wants it.
inline bool must_leave(const Thread* thread) {
  if (thread->hook_mask != 0) [[unlikely]]
    return true;
  auto* tier = static_cast<Tier*>(thread->vm->native_tier);
  if (tier->leave_period == 0) [[likely]]
    return false;
  tier->random = tier->random * 6364136223846793005u + 1442695040888963407u;
  return (tier->random >> 33) % tier->leave_period == 0;
}

inline int64_t outcome_of(const Thread* thread, const Status& status) {
  if (!status.ok()) return kRaised;
  return must_leave(thread) ? kLeave : kDone;
}

/// R[a] := found, when it was found.
inline int64_t deliver(Thread* thread, Value* base, const Instruction* pc, const Result<Value>& found) {
  if (!found.ok()) return kRaised;
  base[pc[-1].a] = found.value();
  return must_leave(thread) ? kLeave : kDone;
}

}  // namespace mangata::jit
