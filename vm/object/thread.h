// A thread: a VM stack and, for a coroutine that is running or suspended inside native code, a native stack (stack_pool.h).
//
// [DESIGN] The VM stack is reserved address space, committed lazily, and never moves. `stack_soft_limit` is the highest
// slot that may be in use: frames are checked against it when they are pushed, the slow path raises it (or raises
// "stack overflow"), and the collector clears the slots above the top so that stale ones hold no dead object. Compiled
// functions that call nothing skip the check: they may reach kLeafSlots beyond the limit.
//
// Lua 5.4 keeps the headers of frames elsewhere, so its limit of slots is for the others alone, and recursion gets as deep
// here as there: the headers of frames come on top (grow_stack). That takes counting frames, which only deep stacks do.
//
// Compiled functions make one comparison, of their base with `compiled_limit`. It stands for the limit of the VM stack and
// for that of the native stack, of which a compiled frame takes two words, and at least kCallOverheadSlots here.
//
// Read next: vm/object/frame.h, vm/interpreter/coroutine.h.
#pragma once

#include <algorithm>
#include <vector>

#include "vm/object/frame.h"
#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
struct Upvalue;
struct CBoundary;                // runtime/c_boundary/boundary.h
struct StackPair;                // vm/object/stack_pool.h
enum class RunOutcome : uint8_t;  // vm/interpreter/interpreter.h

enum class ThreadStatus : uint8_t {
  Suspended,  ///< not started, or inside a yield
  Running,
  Normal,     ///< resumed another coroutine that is running
  Dead,       ///< returned
  Failed,     ///< ended by an error
};

struct Thread : Object {
  /// LUAI_MAXSTACK of Lua 5.4: more slots than this in use, but for those of headers, is a stack overflow.
  static constexpr uint32_t kMaxValueSlots = 1000000;
  /// With headers: the smallest frame is a function and its header.
  static constexpr uint32_t kMaxStackSlots = kMaxValueSlots * kCallOverheadSlots;
  /// Beyond it, for handling a stack overflow.
  static constexpr uint32_t kErrorStackSlots = 200;
  /// Beyond the soft limit, for a compiled function that calls nothing.
  static constexpr uint32_t kLeafSlots = 16;
  static constexpr uint32_t kUncheckedSlots = 32;

  Vm* vm;
  Value* stack;              ///< bottom
  Value* stack_soft_limit;  ///< a frame that would reach beyond it is the error "stack overflow"
  Value* compiled_limit;     ///< a compiled frame based below it has room for kUncheckedSlots, and a native stack
  Value* native_bound;       ///< above it compiled frames must look at the native stack
  Value* stack_end;          ///< no slot above it is ever in use, but for kErrorStackSlots
  Value* limit_before_overflow;  ///< stack_soft_limit when handling_overflow was set
  Value* base;               ///< R[0] of the innermost frame
  Value* top;                ///< see frame.h
  Upvalue* open_upvalues;    ///< sorted, highest slot first
  std::vector<uint32_t> to_be_closed;  ///< stack slots (index from `stack`) of pending to-be-closed variables, ascending
  ThreadStatus status;
  bool handling_overflow;    ///< the error slots may be used: another overflow is an error in error handling
  bool being_closed;         ///< native frames are unwinding because the coroutine is closed: nothing catches
  uint32_t native_depth;     ///< nested native calls and parser levels; at kMaxNativeDepth "C stack overflow". Of a
                             ///< suspended coroutine: above that of whoever resumes it
  uint32_t activations;      ///< native calls into Lua that are under way above the coroutine's own body
  uint32_t non_yieldable;    ///< > 0: yield raises "attempt to yield across a C-call boundary"
  char* native_stack;        ///< where it begins, at its high end; null while nothing is on it, and for the main thread unless a host resumed it
  bool stack_is_free;        ///< nothing is left on native_stack: its resumer notes that
  bool host_sees;            ///< C code may have a lua_State* of this thread: it is never retired (thread_stack.h)
  void* context;             ///< while native_stack is not null: where to switch to, to resume this coroutine
  void* resumer_context;     ///< while it runs: where to switch to, to suspend it
  char* native_limit;        ///< lowest address native code may reach on this thread
  char* region_limit;        ///< below it, compiled code does not enter optimized code, whose frames are larger
  Thread* resumer;           ///< who resumed this coroutine, while it runs
  RunOutcome outcome;        ///< how its last activation ended
  int transfer_count;        ///< values passed by resume or yield, at the top of this thread's stack

  // debug.sethook, per thread as in Lua 5.4
  Value hook_function;       ///< nil when there is none
  uint8_t hook_mask;
  bool hooks_allowed;
  int32_t hook_count;
  int32_t hook_count_left;
  int32_t hook_last_pc;      ///< for line events
  int transfer_first;        ///< for getinfo "r" inside call and return hooks
  int transfer_values;

  // Of the C API (runtime/c_boundary/state.h): a lua_State* is the address of c_boundary, and the word before it is the host's.
  void (*c_hook)(void*, void*);  ///< a lua_Hook; meaningful while hook_function is the one that calls it
  void* host_word;
  CBoundary* c_boundary;     ///< where errors that are raised in C code go, on the native stack that runs this thread; or null

  StackPair* stacks;         ///< whose memory the stacks are; null: retired

  FrameHeader* frame() { return frame_of(base); }
  /// compiled_limit follows.
  void set_soft_limit(Value* limit) {
    stack_soft_limit = limit;
    compiled_limit = std::min(limit - kUncheckedSlots, native_bound);
  }
  /// `slots` from the bottom; compiled_limit follows.
  void set_native_bound(size_t slots) {
    native_bound = stack + slots;
    set_soft_limit(stack_soft_limit);
  }
};

inline constexpr uint32_t kMaxNativeDepth = 200;

}  // namespace mangata
