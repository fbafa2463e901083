// The VM stacks of threads: how they get and lose one, and how far they may use it. Whose memory it is:
// stack_pool.h.
//
// [DESIGN] A coroutine that has returned is garbage soon, and needs no stack: what its last frame left was
// taken away. The next coroutine gets the stack at once, while it is in the processor's caches, and does not
// wait for the collector, for which the dead one counts little from then on. Code that looks at a dead
// coroutine finds an empty stack, which all of them share (Vm::retired_stack). C code may put a function on
// the stack of a dead thread to start it again, so threads that it knows of keep theirs (Thread::host_sees).
#pragma once

#include <cstddef>

#include "vm/object/stack_pool.h"

namespace mangata {

struct Thread;
struct Vm;

/// Gives `thread` a stack with the bottom frame on it. False: no address space.
bool acquire_thread_stack(Vm& vm, Thread& thread);
void release_thread_stack(Vm& vm, Thread& thread);

/// Takes the stack away from a coroutine that has returned, if nobody needs it.
/// Precondition: its results were taken from the stack, or are still on it.
void retire_stack(Vm& vm, Thread& thread);
/// Before C code gets a lua_State* of a thread that may have been retired. False: no address space.
bool show_to_host(Vm& vm, Thread& thread);

/// Thread::set_soft_limit, and the heap's account of it.
void change_soft_limit(Vm& vm, Thread& thread, Value* limit);

/// Raises the soft limit so that the lowest `slots` of the stack can be used, which are more than up to now.
/// False: that would be a stack overflow. Precondition where they are more than kMaxValueSlots: all frames of
/// the thread are complete.
bool grow_stack(Vm& vm, Thread& thread, size_t slots);
/// Takes the slots for handling an overflow away, and what only the frames that are gone were allowed.
void end_overflow(Vm& vm, Thread& thread);
/// What the stacks of `thread` count in the heap.
size_t stack_account_bytes(const Thread& thread);

/// Sets all above the top to nil; whole pages far above the top go back to the system.
void clear_stack_above_top(Thread& thread);

}  // namespace mangata
