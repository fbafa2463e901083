// Switching between the stacks of coroutines: resume, functions of coroutine.wrap, and yield. One piece of
// code that all sites share, among the thunks (jit/abi/thunks.h).
//
// [DESIGN] A switch makes every return address that the processor has predicted wrong. So there is no C++
// frame between compiled code and the switch, and sites jump here and are jumped back to. What start_resume,
// finish_resume and start_yield (vm/interpreter/coroutine.h) do for a coroutine that is suspended on its
// native stack is done inline; whatever else there is, among it the first switch to a coroutine and the last
// one back, the runtime prepares and completes, in calls of their own.
//
// A site jumps here with
//
//     t0 where to go on, with the outcome in t0     a2 its saved pc       a1 the address of the
//     function's register a0 the native function    a5 its NativeId, less NativeId::Resume     a3
//     arguments   a4 wanted results (10 bits)
#pragma once

#include <functional>

#include "jit/x64/masm.h"

namespace mangata::jit {

/// Whether sites may jump there.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSwitchesInline = false;  // the sanitizer must be told of every switch
#else
inline constexpr bool kSwitchesInline = true;
#endif

/// `frame_size` notes how far the return address of the frame is from now on (Thunk::frame_size).
void emit_switch_coroutine(Masm& masm, const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
