// Native stacks of coroutines: how far they may be used.
//
// [DESIGN] A coroutine runs on a native stack of its own, so it can yield from anywhere: out of pcall,
// metamethods, iterators, table.sort. It lies below the VM stack (vm/object/stack_pool.h).
// Every call from compiled and from native code into Lua checks its depth: Thread::native_limit,
// kNativeReserveBytes above the end. For native code that calls nobody and takes more than it is left, each
// stack ends in a guard: touching it is a fault, not somebody else's memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mangata {

struct Thread;

/// Sanitizers make the frames of C++ code several times larger, and Lua code should get as deep with them as
/// without.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kNativeFrameFactor = 4;
#else
inline constexpr size_t kNativeFrameFactor = 1;
#endif

struct NativeStack {
  static constexpr size_t kBytes = kNativeFrameFactor * 512 * 1024;  ///< of a coroutine
  /// Below it: more than functions that do not probe their frames have in one.
  static constexpr size_t kGuardBytes = 64 * 1024;
};

/// What lies below Thread::native_limit, where compiled code ends: room for as many nested calls out of
/// native code as the interpreter, whose Lua calls take no native stack, could make there. How deep compiled
/// code went is not to be seen.
inline constexpr size_t kNativeReserveBytes = kNativeFrameFactor * 256 * 1024;
/// At its end, what native code may use beyond the point where its depth was checked.
inline constexpr size_t kNativeLeafBytes = kNativeFrameFactor * 48 * 1024;
/// The distance from Thread::native_limit to the lowest address at which native code may call into Lua.
inline constexpr size_t kNestedCallBytes = kNativeReserveBytes - kNativeLeafBytes;

/// How far compiled code goes below Thread::native_limit where it makes no check of its own, at most.
inline constexpr size_t kUncheckedNativeBytes = 48 * 1024;
/// How much of a native stack may be taken until optimized code is entered no more. Whoever looks at
/// native_limit is told nothing of its frames, so this is a part of what is left for C++ frames: of
/// kNativeFramesBytes, or of the reserve.
inline constexpr size_t kOptimizedBytes = size_t{1} << 20;
inline constexpr size_t kOptimizedBytesOfCoroutine = 64 * 1024;
/// How many slots of the VM stack compiled frames may take until they look at the native stack, which ends
/// `available_bytes` below the first of them: each frame takes 16 bytes of it, and at least three slots. What
/// C++ frames in between take is left out of a large stack; in a small one the reserve has room for them.
constexpr size_t slots_without_native_check(size_t available_bytes) {
  constexpr size_t kNativeFramesBytes = size_t{2} << 20;
  const bool is_large = available_bytes > kNativeFramesBytes + kUncheckedNativeBytes;
  return (is_large ? available_bytes - kNativeFramesBytes : kUncheckedNativeBytes) / 16 * 3;
}

/// Thread::native_limit for the native stack that calls this: what is left of the process's limit, less the
/// reserve. Above the caller when that is little: then nothing is compiled.
char* lowest_native_address();

/// `thread`, which has no native stack of its own, goes on on the caller's: that of any thread of the
/// process, or one that the host has made. For hosts, which may use a machine now here, now there.
/// @param is_outermost  nothing of the machine is on that stack
void adopt_callers_stack(Thread& thread, bool is_outermost);
/// Of the thread of the process: 0 until it has called adopt_callers_stack(). Not a thread_local, whose
/// address would take a call.
extern __thread uint32_t native_thread_number __attribute__((tls_model("initial-exec")));

}  // namespace mangata
