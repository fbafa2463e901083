// Calls from native code, and growing the stack (Lua 5.4 manual §2.3). Protected calls: protected_call.cpp.
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

bool make_stack_room(Thread& thread, Value* top, int slots) {
  if (top + slots <= thread.stack_soft_limit) [[likely]]
    return true;
  return grow_stack(*thread.vm, thread, static_cast<size_t>(top - thread.stack) + static_cast<size_t>(slots));
}

Status ensure_stack(Vm& vm, Value* top, int slots) {
  Thread& thread = *vm.current;
  if (make_stack_room(thread, top, slots)) [[likely]]
    return {};
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
  if (thread.native_depth < kMaxNativeDepth && here > lowest) [[likely]]
    return {};
  return check_native_depth_slowly(vm, thread, here, lowest);
}

[[gnu::always_inline]] inline Status call_counted(Vm& vm, Thread& thread, Value* function, int argument_count, int result_count) {
  TRY(check_native_depth(vm, thread));
  // Functions may call each other through native ones, without a backedge or a call in Lua code.
  if (vm.interrupt.load(std::memory_order_relaxed)) [[unlikely]]
    TRY(handle_interrupt(vm));
  for (;;) {
    if (function->is_lua_function()) {
      if (may_call_compiled(*function->as_lua_function()->proto, thread)) {
        return call_compiled(vm, thread, function, argument_count, result_count) ? Status{} : Raised{};
      }
      if (push_lua_frame(vm, thread, function, argument_count, result_count, FrameHeader::kEntry) == nullptr) {
        return Raised{};
      }
      // A vararg function's call is told of when its arguments are in place.
      if (thread.hook_mask != 0 && !function->as_lua_function()->proto->is_vararg) [[unlikely]]
        TRY(hook_call(vm, thread, false));
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
