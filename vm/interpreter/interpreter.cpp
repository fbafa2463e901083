// The dispatch loop. Each handler ends with NEXT, which jumps to the handler of the next instruction through `dispatch`,
// so every handler has its own indirect branch. While line or count hooks are set, `dispatch` points to a table whose
// entries all lead to `hooked`.
//
// The local variables are the registers of the machine:
//   pc       the next instruction (pc[-1] is the one that runs)
//   base     R[0] of the running frame, equal to thread.base
//   k        constants of the running function
//   caches   its inline caches
#include "vm/interpreter/interpreter.h"

#include <cmath>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/coroutine.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/path_event.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/interpreter/version_change.h"
#include "vm/native.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

#define CASE(name) op_##name
#define IN (pc[-1])
#define RA (base + IN.a)
#define RB (base + IN.b)
#define RC (base + IN.c)
#define KC (k + IN.c)
#define RKC in_words((IN.c & kConstantOperand) ? k + (IN.c & kMaxRkConstant) : base + IN.c)
#define NEXT                                                \
  do {                                                      \
    if constexpr (kStep) goto stepped;                      \
    const Instruction* const next_instruction = pc++;       \
    goto* dispatch[static_cast<int>(next_instruction->op)]; \
  } while (0)

/// The pc is in the frame: errors, tracebacks, hooks and collections may look.
#define SAVE_PC() (frame_of(base)->saved_pc = pc)
/// After anything that may have run other code: hooks may have come or gone.
#define RELOAD_DISPATCH() (dispatch = (thread.hook_mask & (kHookLine | kHookCount | kRecording)) ? kHooked : kHandlers)

/// Evaluates a Result that may run other code; raises, or yields its value.
#define CHECK(expression)                \
  ({                                     \
    SAVE_PC();                           \
    auto check_result = (expression);    \
    if (!check_result.ok()) [[unlikely]] \
      goto raised;                       \
    RELOAD_DISPATCH();                   \
    check_result.value();                \
  })

#define SAFEPOINT()                          \
  do {                                       \
    if (vm.heap.needs_step()) [[unlikely]] { \
      CHECK(vm.heap.step());                 \
    }                                        \
  } while (0)

/// The same where no register at or above `live_end` is in use: values left there do not keep objects alive.
#define SAFEPOINT_BELOW(live_end)            \
  do {                                       \
    if (vm.heap.needs_step()) [[unlikely]] { \
      thread.top = (live_end);               \
      CHECK(vm.heap.step());                 \
      thread.top = frame_top(base);          \
    }                                        \
  } while (0)

/// An event (vm/event_countdown.h). Somebody may have asked for attention.
#define COUNT_EVENT()                                  \
  do {                                                 \
    if (vm.interpreter_events.take_one()) [[unlikely]] \
      CHECK(poll_interpreter(vm));                     \
  } while (0)

/// Goes back to the head of a loop, `offset` instructions away; when the loop is hot, perhaps in compiled code.
#define BACKEDGE(offset)                                    \
  do {                                                      \
    COUNT_EVENT();                                          \
    pc += offset;                                           \
    if constexpr (!kStep) {                                 \
      if (--RUNNING_PROTO->loop_countdown < 0) [[unlikely]] \
        goto hot_loop;                                      \
    }                                                       \
    NEXT;                                                   \
  } while (0)
#define RUNNING_PROTO (function_slot(base)->as_lua_function()->proto)

/// Takes up the frame at `base`, whose pc was saved.
#define ENTER_FRAME()                                                     \
  do {                                                                    \
    const Proto* entered = function_slot(base)->as_lua_function()->proto; \
    pc = frame_of(base)->saved_pc;                                        \
    k = entered->constants.data();                                        \
    caches = const_cast<InlineCache*>(entered->caches.data());            \
  } while (0)

/// After a frame returned: leaves the loop, or goes on in the frame at thread.base.
#define LEAVE_OR_CONTINUE(expression)                             \
  do {                                                            \
    const AfterReturn after = expression;                         \
    if (after == AfterReturn::Leave) return RunOutcome::Returned; \
    if (after == AfterReturn::Raised) goto raised;                \
    base = thread.base;                                           \
    ENTER_FRAME();                                                \
    RELOAD_DISPATCH();                                            \
    NEXT;                                                         \
  } while (0)

/// A frame was pushed and its first instruction is next: goes on there, in compiled code when the function has some.
#define START_FRAME(proto)                             \
  do {                                                 \
    COUNT_EVENT();                                     \
    if ((proto)->compiled != nullptr) [[unlikely]]     \
      goto enter_compiled;                             \
    if (--(proto)->entry_countdown < 0) [[unlikely]] { \
      report_hot_function(vm, *RUNNING_PROTO);         \
      pc = RUNNING_PROTO->code;                        \
      goto enter_compiled;                             \
    }                                                  \
    NEXT;                                              \
  } while (0)

/// What run_loop starts with.
enum class Start : uint8_t {
  Frame,
  LeftFrame,
  AfterYield
};

/// kStep: executes one instruction, with the same handlers.
/// Never inlined or cloned: who walks through native frames knows it by its address (is_interpreter_loop).
template <bool kStep>
[[gnu::noinline, gnu::noclone]] RunOutcome run_loop(Vm& vm, Thread& thread, Start start, int resume_argument_count) {
  static const void* const kHandlers[] = {
#define OP(name, ...) &&op_##name,
#include "vm/bytecode/opcodes.def"
  };
  static const void* const kHooked[] = {
#define OP(name, ...) &&hooked,
#include "vm/bytecode/opcodes.def"
  };

  Value* base = thread.base;
  // The frame that compiled code left to us, and takes back when it is hot: going there and back must not nest.
  const Value* const left_base = start == Start::LeftFrame ? base : nullptr;
  const Instruction* pc;
  const Value* k;
  InlineCache* caches;
  const void* const* dispatch;
  ENTER_FRAME();
  RELOAD_DISPATCH();
  if (start == Start::AfterYield) {
    Value* results = thread.top - resume_argument_count;
    Value* end = move_results(RA, results, resume_argument_count, IN.c - 1);
    thread.top = IN.c == 0 ? end : frame_top(base);
  }
  if constexpr (kStep) {
    ++pc;
    goto* kHandlers[static_cast<int>(IN.op)];
  }
  NEXT;

stepped:
  __attribute__((unused));
  SAVE_PC();
  return RunOutcome::Stepped;

hooked:
  if (!hook_instruction(vm, thread, pc - 1).ok()) goto raised;
  RELOAD_DISPATCH();
  goto* kHandlers[static_cast<int>(IN.op)];

raised:
  return RunOutcome::Raised;

hot_loop:
  __attribute__((unused));
  SAVE_PC();
  report_hot_loop(vm, *RUNNING_PROTO);
  pc = change_version(*RUNNING_PROTO, base, pc);
enter_compiled:
  SAVE_PC();
  // A callee's frame may come to lie at left_base, after a tail call in a vararg frame: it is no entry frame.
  if (base == left_base && (frame_of(base)->flags & FrameHeader::kEntry) != 0 &&
      RUNNING_PROTO->compiled_at(pc) != nullptr && thread.hook_mask == 0) {
    return RunOutcome::Hot;
  }
  if (may_run_compiled(*RUNNING_PROTO, thread, pc)) LEAVE_OR_CONTINUE(run_compiled(vm, thread, pc));
  NEXT;

#include "vm/interpreter/handlers/arithmetic.inc"
#include "vm/interpreter/handlers/branches.inc"
#include "vm/interpreter/handlers/calls.inc"
#include "vm/interpreter/handlers/loads.inc"
#include "vm/interpreter/handlers/loops.inc"
#include "vm/interpreter/handlers/tables.inc"
}

}  // namespace

RunOutcome run(Vm& vm, Thread& thread) {
  Proto& proto = *function_slot(thread.base)->as_lua_function()->proto;
  if (!count_call(vm).ok()) return RunOutcome::Raised;
  if (proto.compiled == nullptr && --proto.entry_countdown < 0) {
    report_hot_function(vm, proto);
    thread.frame()->saved_pc = proto.code;
  }
  if (proto.compiled != nullptr && may_run_compiled(proto, thread, proto.code)) {
    return run_compiled(vm, thread, proto.code) == AfterReturn::Raised ? RunOutcome::Raised : RunOutcome::Returned;
  }
  return run_interpreted(vm, thread);
}

RunOutcome run_interpreted(Vm& vm, Thread& thread) { return run_loop<false>(vm, thread, Start::Frame, 0); }

RunOutcome run_left(Vm& vm, Thread& thread) { return run_loop<false>(vm, thread, Start::LeftFrame, 0); }

RunOutcome step(Vm& vm, Thread& thread) { return run_loop<true>(vm, thread, Start::Frame, 0); }

bool is_interpreter_loop(const void* function) {
  return function == reinterpret_cast<const void*>(&run_loop<false>) || function == reinterpret_cast<const void*>(&run_loop<true>);
}

RunOutcome run_after_yield(Vm& vm, Thread& thread, int argument_count) {
  thread.base = caller_base(thread.base);  // pops the frame of yield
  return run_loop<false>(vm, thread, Start::AfterYield, argument_count);
}

}  // namespace mangata
