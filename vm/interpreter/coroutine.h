// Coroutines: resume, yield, close (Lua 5.4 manual §2.6).
//
// [DESIGN] A coroutine that yields from plain Lua code unwinds its one interpreter activation: nothing is left on
// its native stack. One that yields from inside native code (a metamethod, pcall, sort) or compiled code stays on it until it is resumed
// and returns.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// What a native stack counts in the heap while a coroutine is on it. As a rule it is in the page where the VM stack begins, too, which
/// needs a page of page tables.
inline constexpr ptrdiff_t kNativeStackAccount = 4096;

enum class ResumeOutcome {
  Yielded,
  Returned,
  Failed
};

/// Puts the function of a new coroutine on its stack.
void prepare_coroutine(Thread& coroutine, Value function);

/// Whether resume() has something to run: a body under way, or a function on the stack of a thread that runs none.
bool is_resumable(const Thread& coroutine);

/// Before resume(), with its arguments on the stack: makes the holes of a frame header below them if the body starts now.
/// Precondition: is_resumable(), and room for kFrameHeaderSlots more.
void open_header(Thread& coroutine, int argument_count);

/// Runs `coroutine` until it yields, returns, or fails. Its arguments are the `argument_count` values at the top of its
/// stack. Afterwards *result_count results, or one error value, are at the top of its stack: the caller takes them away.
/// Precondition: is_resumable() and open_header(). A safepoint.
ResumeOutcome resume(Vm& vm, Thread& coroutine, int argument_count, int* result_count);

/// resume() in two halves, for compiled code, which switches stacks in between (context_switch.h): from
/// coroutine.resumer_context to coroutine.context. False: nothing was done, and resume() would fail.
bool start_resume(Vm& vm, Thread& coroutine, int argument_count);
ResumeOutcome finish_resume(Vm& vm, Thread& coroutine, int* result_count);

/// What calling a function of coroutine.wrap raises when the coroutine has failed with `error`. Closes it. A safepoint.
Raised raise_from_coroutine(Vm& vm, Thread& coroutine, Value error);

/// What yield() does before it switches from thread.context to thread.resumer_context.
void start_yield(Thread& thread, int value_count);

/// Suspends the running coroutine with the `value_count` values at the top of its stack. Returns, when it is resumed,
/// how many arguments of resume are at the top. Raises outside a coroutine and across native code that cannot yield.
Result<int> yield(Vm& vm, int value_count);

/// "attempt to yield from outside a coroutine" and the like; ok when yield would work.
Status check_yieldable(Vm& vm, Thread& thread);

/// Closes a suspended or dead coroutine: its pending to-be-closed variables run. True when nothing went wrong; false: the
/// error value is at the top of its stack. A safepoint.
bool close_coroutine(Vm& vm, Thread& coroutine);

/// For the collector: returns the native frames of an unreachable suspended coroutine, without running Lua code.
Status unwind_suspended(Vm& vm, Thread& coroutine);

}  // namespace mangata
