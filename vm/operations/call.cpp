// Calls from native code, protected calls, and growing the stack (Lua 5.4 manual §2.3).
#include <algorithm>
#include <new>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/native.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"
#include "vm/operations/protected_call.h"

namespace mangata {

Status ensure_stack(Vm& vm, Value* top, int slots) {
  Thread& thread = *vm.current;
  if (top + slots <= thread.stack_soft_limit) [[likely]] return {};
  const auto needed = static_cast<size_t>(top - thread.stack) + static_cast<size_t>(slots);
  if (grow_stack(vm, thread, needed)) return {};
  if (thread.handling_overflow) return raise_plain(vm, "error in error handling");
  thread.handling_overflow = true;
  thread.limit_before_overflow = thread.stack_soft_limit;
  return raise_message(vm, "stack overflow");
}

namespace {

/// Depth of native calls: the limit LUAI_MAXCCALLS of Lua 5.4, and the real native stack. A tenth more, and half of the
/// reserve, are for handling the error.
Status check_native_depth_slowly(Vm& vm, Thread& thread, const char* here, const char* lowest) {
  const bool past_error_room = thread.native_depth >= kMaxNativeDepth + kMaxNativeDepth / 10 ||
                               here + kNativeLeafBytes / 2 <= lowest;
  if (past_error_room) return raise_plain(vm, "error in error handling");
  if (thread.native_depth == kMaxNativeDepth || here <= lowest) return raise_message(vm, "C stack overflow");
  return {};
}

inline Status check_native_depth(Vm& vm, Thread& thread) {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  const char* lowest = thread.native_limit - kNestedCallBytes;
  if (thread.native_depth < kMaxNativeDepth && here > lowest) [[likely]] return {};
  return check_native_depth_slowly(vm, thread, here, lowest);
}

[[gnu::always_inline]] inline Status call_counted(Vm& vm, Thread& thread, Value* function, int argument_count, int result_count) {
  TRY(check_native_depth(vm, thread));
  // Functions may call each other through native ones, without a backedge or a call in Lua code.
  if (vm.interrupt.load(std::memory_order_relaxed)) [[unlikely]] TRY(handle_interrupt(vm));
  for (;;) {
    if (function->is_lua_function()) {
      if (may_call_compiled(*function->as_lua_function()->proto, thread)) {
        return call_compiled(vm, thread, function, argument_count, result_count) ? Status{} : Raised{};
      }
      if (push_lua_frame(vm, thread, function, argument_count, result_count, FrameHeader::kEntry) == nullptr) {
        return Raised{};
      }
      // A vararg function's call is told of when its arguments are in place.
      if (thread.hook_mask != 0 && !function->as_lua_function()->proto->is_vararg) [[unlikely]] TRY(hook_call(vm, thread, false));
      ++thread.activations;
      const RunOutcome outcome = run(vm, thread);
      --thread.activations;
      if (outcome != RunOutcome::Returned) return Raised{};
      return {};
    }
    if (function->is_native_function()) return call_native(vm, thread, function, argument_count, result_count);
    TRY(prepare_call_metamethod(vm, thread, function, argument_count));
    ++argument_count;
  }
}

}  // namespace

Status call(Vm& vm, Value* function, int argument_count, int result_count) {
  Thread& thread = *vm.current;
  ++thread.native_depth;
  const Status status = call_counted(vm, thread, function, argument_count, result_count);
  --thread.native_depth;
  return status;
}

namespace {

/// call() on behalf of native code, across which nothing can yield ("attempt to yield across a C-call boundary").
Status call_without_yield(Vm& vm, Thread& thread, Value* function, int argument_count, int result_count) {
  ++thread.non_yieldable;
  const Status status = call(vm, function, argument_count, result_count);
  --thread.non_yieldable;
  return status;
}

/// A metamethod of an operation in Lua code may yield; of one in native code it may not.
Status call_metamethod_slots(Vm& vm, Thread& thread, Value* function, int argument_count, int result_count) {
  if (thread.frame()->is_native()) return call_without_yield(vm, thread, function, argument_count, result_count);
  return call(vm, function, argument_count, result_count);
}

/// By the direct form, if it has one; the number of results at function[0].
int call_metamethod_directly(Vm& vm, const Thread& thread, Value* function, int argument_count) {
  const DirectCode direct = function->is_native_function() ? function->as_native_function()->direct : nullptr;
  return direct == nullptr || thread.hook_mask != 0 ? kNotDirect : direct(vm, function, argument_count);
}

/// The function's slot, and space for `argument_count` arguments behind it.
Result<Value*> place_metamethod(Vm& vm, Thread& thread, const Value& function, int argument_count) {
  Value* slot = thread.top;
  TRY(ensure_stack(vm, slot, kCallOverheadSlots + argument_count));
  slot[0] = function;
  slot[1].set_nil();
  slot[2].set_nil();
  thread.top = slot + kCallOverheadSlots + argument_count;
  return slot;
}

Result<Value> call_placed_metamethod(Vm& vm, Thread& thread, Value* slot, int argument_count) {
  if (const int count = call_metamethod_directly(vm, thread, slot, argument_count); count != kNotDirect) {
    thread.top = slot;
    return count == 0 ? Value::nil() : *slot;
  }
  TRY(call_metamethod_slots(vm, thread, slot, argument_count, 1));
  thread.top = slot;
  return *slot;
}

}  // namespace

Result<Value> call_metamethod(Vm& vm, Value function, Value a, Value b) {
  Thread& thread = *vm.current;
  Value* slot = TRY(place_metamethod(vm, thread, function, 2));
  slot[kCallOverheadSlots] = a;
  slot[kCallOverheadSlots + 1] = b;
  return call_placed_metamethod(vm, thread, slot, 2);
}

Result<Value> call_metamethod(Vm& vm, Value function, Value object) {
  Thread& thread = *vm.current;
  Value* slot = TRY(place_metamethod(vm, thread, function, 1));
  slot[kCallOverheadSlots] = object;
  return call_placed_metamethod(vm, thread, slot, 1);
}

Status call_metamethod_no_result(Vm& vm, Value function, Value a, Value b, Value c) {
  Thread& thread = *vm.current;
  Value* slot = TRY(place_metamethod(vm, thread, function, 3));
  slot[kCallOverheadSlots] = a;
  slot[kCallOverheadSlots + 1] = b;
  slot[kCallOverheadSlots + 2] = c;
  if (call_metamethod_directly(vm, thread, slot, 3) != kNotDirect) {
    thread.top = slot;
    return {};
  }
  TRY(call_metamethod_slots(vm, thread, slot, 3, 0));
  thread.top = slot;
  return {};
}

namespace {

/// What a protected call restores when it catches.
/// Its counters are in another order than those of Thread: read as one word, they would wait for the last of them to be written.
struct SavedState {
  explicit SavedState(const Thread& thread)
      : non_yieldable(thread.non_yieldable),
        base(thread.base),
        native_depth(thread.native_depth),
        hooks_allowed(thread.hooks_allowed),
        handling_overflow(thread.handling_overflow),
        activations(thread.activations) {}
  void restore(Thread& thread) const {
    thread.base = base;
    thread.native_depth = native_depth;
    thread.non_yieldable = non_yieldable;
    thread.activations = activations;
    thread.hooks_allowed = hooks_allowed;
  }
  uint32_t non_yieldable;
  Value* base;
  uint32_t native_depth;
  bool hooks_allowed;
  bool handling_overflow;  ///< a call inside a message handler must not take its error slots away
  uint32_t activations;
};

/// The first slot above everything the innermost frame uses.
Value* live_top(Thread& thread) {
  if (thread.frame()->is_native()) return thread.top;
  return std::max(thread.top, frame_top(thread.base));
}

/// Tells the profiler about the paths that the frames above `stop` were on.
void report_cut_paths(Vm& vm, Thread& thread, const Value* stop) {
  if (vm.hooks == nullptr) return;
  for (Value* base = thread.base; base > stop; base = caller_base(base)) {
    if (frame_of(base)->is_native()) continue;
    Proto& proto = *function_slot(base)->as_lua_function()->proto;
    if (proto.version != nullptr && proto.counters_at(frame_of(base)->saved_pc) != nullptr) vm.hooks->path_cut(proto, base);
  }
}

/// Calls the message handler on the pending error, with the frames of the error still on the stack. A handler that fails is called
/// again with its own error, as in Lua 5.4, until the native depth that its recursion would have reached is used up.
void run_message_handler(Vm& vm, Thread& thread, Value handler) {
  const SavedState erring(thread);
  for (uint32_t depth = erring.native_depth + 1;; ++depth) {
    if (depth >= kMaxNativeDepth + kMaxNativeDepth / 10) {
      vm.error = vm.string_value("error in error handling");
      return;
    }
    Value* slot = live_top(thread);
    if (!ensure_stack(vm, slot, kCallOverheadSlots + 1).ok()) continue;
    slot[0] = handler;
    slot[1].set_nil();
    slot[2].set_nil();
    slot[kCallOverheadSlots] = vm.error;
    thread.top = slot + kCallOverheadSlots + 1;
    thread.native_depth = depth;  // at the limit the call raises "C stack overflow", which the next one gets
    const bool ok = call_without_yield(vm, thread, slot, 1, 1).ok();
    if (ok) {
      report_cut_paths(vm, thread, erring.base);  // of handlers that failed
      erring.restore(thread);
      vm.error = slot[0];
      thread.top = slot;
      return;
    }
  }
}

}  // namespace

namespace {

/// call(), of which nothing is left when the machine's own C++ code has no memory: its frames are abandoned as after any error.
Status call_or_run_out_of_memory(Vm& vm, Value* function, int argument_count, int result_count) {
  try {
    return call(vm, function, argument_count, result_count);
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory(vm);
  }
}

}  // namespace

bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler) {
  return protected_call(vm, function, argument_count, result_count, handler, nullptr);
}

bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler, void (*note_memory_error)(Vm& vm)) {
  Thread& thread = *vm.current;
  const SavedState saved(thread);
  if (call_or_run_out_of_memory(vm, function, argument_count, result_count).ok()) return true;
  if (thread.being_closed) return false;
  const bool is_memory = vm.error.is_identical(Value::string(vm.memory_error));
  if (!handler.is_nil() && !vm.terminating && !is_memory) run_message_handler(vm, thread, handler);
  if (note_memory_error != nullptr && !vm.terminating && is_memory) note_memory_error(vm);
  report_cut_paths(vm, thread, saved.base);
  // Frames are gone from here on, but to-be-closed variables still lie in their slots: stay above all of them.
  Value* close_top = function + 1;
  if (!thread.to_be_closed.empty()) {
    close_top = std::max(close_top, thread.stack + thread.to_be_closed.back() + 1);
  }
  saved.restore(thread);
  thread.top = close_top;
  (void)close_variables(vm, thread, function, vm.error, true, handler);
  if (thread.being_closed) return false;
  if (thread.handling_overflow && !saved.handling_overflow) end_overflow(vm, thread);
  function[0] = vm.error;
  thread.top = function + 1;
  // What has used memory up may lie in registers of the caller that mean nothing here.
  if (vm.error.is_identical(Value::string(vm.memory_error))) clear_stack_above_top(thread);
  if (!vm.terminating) vm.error = Value::nil();
  return false;
}

void cut_all_paths(Vm& vm, Thread& thread) { report_cut_paths(vm, thread, thread.stack + kCallOverheadSlots); }

// --- the calling half of class Call (vm/native.h)

void Call::push_function(Value function) {
  push(function);
  push(Value::nil());
  push(Value::nil());
}

Result<int> Call::invoke(int argument_count, int result_count) {
  Value* function = thread_.top - argument_count - kCallOverheadSlots;
  TRY(call_without_yield(vm_, thread_, function, argument_count, result_count));
  return static_cast<int>(thread_.top - function);
}

Result<int> Call::invoke_yieldable(int argument_count, int result_count) {
  Value* function = thread_.top - argument_count - kCallOverheadSlots;
  TRY(call(vm_, function, argument_count, result_count));
  return static_cast<int>(thread_.top - function);
}

Status Call::push_call(Value function, std::initializer_list<Value> arguments) {
  TRY(ensure_stack(vm_, thread_.top, static_cast<int>(arguments.size()) + kCallOverheadSlots + 1));
  push_function(function);
  for (const Value& argument : arguments) push(argument);
  return {};
}

Result<Value> Call::call_value(Value function, std::initializer_list<Value> arguments) {
  TRY(push_call(function, arguments));
  TRY(invoke(static_cast<int>(arguments.size()), 1));
  return *--thread_.top;
}

Result<Value> Call::call_value_yieldable(Value function, std::initializer_list<Value> arguments) {
  TRY(push_call(function, arguments));
  TRY(invoke_yieldable(static_cast<int>(arguments.size()), 1));
  return *--thread_.top;
}

}  // namespace mangata
