// Calls under protection (Lua 5.4 manual §2.3), and the ways by which compiled functions are called from
// native ones without the detours of call().
#include "vm/operations/protected_call.h"

#include <algorithm>
#include <new>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/native.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"

namespace mangata {

namespace {

/// What a protected call restores when it catches.
/// Its counters are in another order than those of Thread: read as one word, they would wait for the last of
/// them to be written.
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
    if (proto.version != nullptr && proto.counters_at(frame_of(base)->saved_pc) != nullptr)
      vm.hooks->path_cut(proto, base);
  }
}

/// Calls the message handler on the pending error, with the frames of the error still on the stack. A handler
/// that fails is called again with its own error, as in Lua 5.4, until the native depth that its recursion
/// would have reached is used up.
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
    ++thread.non_yieldable;
    const bool ok = call(vm, slot, 1, 1).ok();
    --thread.non_yieldable;
    if (ok) {
      report_cut_paths(vm, thread, erring.base);  // of handlers that failed
      erring.restore(thread);
      vm.error = slot[0];
      thread.top = slot;
      return;
    }
  }
}

/// call(), of which nothing is left when the machine's own C++ code has no memory: its frames are abandoned
/// as after any error.
Status call_or_run_out_of_memory(Vm& vm, Value* function, int argument_count, int result_count) {
  try {
    return call(vm, function, argument_count, result_count);
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory(vm);
  }
}

/// The same for a Lua function that is compiled.
Status call_compiled_or_run_out_of_memory(Vm& vm, Thread& thread, Value* function, int argument_count) {
  ++thread.native_depth;
  try {
    if (!call_compiled(vm, thread, function, argument_count, kMultipleResults)) return Raised{};
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory(vm);
  }
  --thread.native_depth;
  return {};
}

/// A protected call has raised the pending error: afterwards that is at function[0], unless the thread is
/// being closed.
void catch_error(Vm& vm, Thread& thread, const SavedState& saved, Value* function, Value handler,
                 void (*note_memory_error)(Vm& vm)) {
  if (thread.being_closed) return;
  const bool is_memory = vm.error.is_identical(Value::string(vm.memory_error));
  if (!handler.is_nil() && !vm.terminating && !is_memory) run_message_handler(vm, thread, handler);
  if (note_memory_error != nullptr && !vm.terminating && is_memory) note_memory_error(vm);
  report_cut_paths(vm, thread, saved.base);
  // Frames are gone from here on, but to-be-closed variables still lie in their slots: stay above all of
  // them.
  Value* close_top = function + 1;
  if (!thread.to_be_closed.empty()) {
    close_top = std::max(close_top, thread.stack + thread.to_be_closed.back() + 1);
  }
  saved.restore(thread);
  thread.top = close_top;
  (void)close_variables(vm, thread, function, vm.error, true, handler);
  if (thread.being_closed) return;
  if (thread.handling_overflow && !saved.handling_overflow) end_overflow(vm, thread);
  function[0] = vm.error;
  thread.top = function + 1;
  // What has used memory up may lie in registers of the caller that mean nothing here.
  if (vm.error.is_identical(Value::string(vm.memory_error))) clear_stack_above_top(thread);
  if (!vm.terminating) vm.error = Value::nil();
}

}  // namespace

bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler) {
  return protected_call(vm, function, argument_count, result_count, handler, nullptr);
}

bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler,
                    void (*note_memory_error)(Vm& vm)) {
  Thread& thread = *vm.current;
  const SavedState saved(thread);
  if (call_or_run_out_of_memory(vm, function, argument_count, result_count).ok()) return true;
  catch_error(vm, thread, saved, function, handler, note_memory_error);
  return false;
}

void cut_all_paths(Vm& vm, Thread& thread) {
  report_cut_paths(vm, thread, thread.stack + kCallOverheadSlots);
}

namespace {

/// Whether compiled code may call it so, with room for a native function's frame above its arguments.
bool may_call_directly(const Vm& vm, const Thread& thread, const Value& function, const Value* top) {
  return function.is_lua_function() && may_call_compiled(*function.as_lua_function()->proto, thread) &&
         top + kMinimumNativeSlots <= thread.stack_soft_limit && thread.native_depth + 1 < kMaxNativeDepth &&
         !vm.interrupt.load(std::memory_order_relaxed);
}

}  // namespace

Result<bool> pcall_compiled(Vm& vm, Thread& thread, Value* pcall, int argument_count, int wanted_results) {
  const bool has_handler = static_cast<NativeId>(pcall->as_native_function()->type_byte) == NativeId::Xpcall;
  const int first = has_handler ? 2 : 1;  // argument of the function
  Value* const base = pcall + kCallOverheadSlots;
  Value* const function = base + first;
  const int passed = argument_count - first;
  if (passed < 0 || !may_call_directly(vm, thread, base[0], function + kCallOverheadSlots + passed))
    return false;
  if (has_handler && !base[1].is_function()) return false;
  const Value handler = has_handler ? base[1] : Value::nil();
  for (int i = passed; i-- > 0;) function[kCallOverheadSlots + i] = function[i];
  *function = base[0];
  if (has_handler) base[0] = handler;  // which stays where the collector sees it
  Value* const caller = thread.base;
  write_frame_header(frame_of(base), nullptr, wanted_results, static_cast<uint32_t>(base - caller), 0,
                     FrameHeader::kNative);
  thread.base = base;
  thread.top = function + kCallOverheadSlots + passed;
  const SavedState saved(thread);
  const bool ok = call_compiled_or_run_out_of_memory(vm, thread, function, passed).ok();
  if (!ok) {
    catch_error(vm, thread, saved, function, handler, nullptr);
    if (thread.being_closed || vm.terminating) return Raised{};
  }
  function[-1] = Value::boolean(ok);
  const int count = static_cast<int>(thread.top - function) + 1;
  if (thread.hook_mask != 0) [[unlikely]]
    TRY(hook_return(vm, thread, function - 1, count));
  thread.base = caller;
  thread.top = move_results(pcall, function - 1, count, wanted_results);
  return true;
}

Result<Value> LuaCallee::call_with(const Value& a, const Value& b) {
  Value* slot = thread_.top;
  Value* const top = slot + kCallOverheadSlots + 2;
  if (!may_call_directly(vm_, thread_, function_, top)) return call_by_machine(a, b);
  slot[0] = function_;
  slot[kCallOverheadSlots] = a;
  slot[kCallOverheadSlots + 1] = b;
  thread_.top = top;
  ++thread_.non_yieldable;
  ++thread_.native_depth;
  const bool ok = call_compiled(vm_, thread_, slot, 2, 1);
  --thread_.native_depth;
  --thread_.non_yieldable;
  if (!ok) return Raised{};
  thread_.top = slot;
  return *slot;
}

Result<Value> LuaCallee::call_by_machine(const Value& a, const Value& b) {
  Value* slot = thread_.top;
  TRY(ensure_stack(vm_, slot, kCallOverheadSlots + 2));
  slot[0] = function_;
  slot[1].set_nil();
  slot[2].set_nil();
  slot[kCallOverheadSlots] = a;
  slot[kCallOverheadSlots + 1] = b;
  thread_.top = slot + kCallOverheadSlots + 2;
  ++thread_.non_yieldable;
  const Status status = call(vm_, slot, 2, 1);
  --thread_.non_yieldable;
  TRY(status);
  thread_.top = slot;
  return *slot;
}

}  // namespace mangata
