// Pushing frames: the slow and shared half of calls. The interpreter's Call handler has the fast half inline.
#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {

Value* push_lua_frame(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results,
                      uint32_t flags) {
  Proto* proto = function->as_lua_function()->proto;
  Value* base = function + kCallOverheadSlots;
  if (!ensure_stack(vm, base, std::max(argument_count, int{proto->max_stack_slots})).ok()) return nullptr;
  for (int i = argument_count; i < proto->parameter_count; ++i) base[i].set_nil();
  write_frame_header(frame_of(base), proto->code, wanted_results, static_cast<uint32_t>(base - thread.base),
                     proto->is_vararg ? static_cast<uint32_t>(argument_count) : 0, flags);  // until PrepareVararg
  thread.base = base;
  thread.top = base + proto->max_stack_slots;
  return base;
}

Status call_native(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results) {
  Value* base = function + kCallOverheadSlots;
  Value* saved_base = thread.base;
  if (base + argument_count + kMinimumNativeSlots > thread.stack_soft_limit) [[unlikely]] {
    TRY(ensure_stack(vm, base + argument_count, kMinimumNativeSlots));
  }
  write_frame_header(frame_of(base), nullptr, wanted_results, static_cast<uint32_t>(base - saved_base), 0,
                     FrameHeader::kNative);
  thread.base = base;
  thread.top = base + argument_count;
  if (thread.hook_mask & kHookCall) [[unlikely]] TRY(hook_call(vm, thread, false));
  Call native_call(vm, thread);
  const Result<int> result = function->as_native_function()->code(native_call);
  if (!result.ok()) [[unlikely]] return Raised{};
  const int count = result.value();
  if (thread.hook_mask != 0) [[unlikely]] TRY(hook_return(vm, thread, thread.top - count, count));
  thread.base = saved_base;
  thread.top = move_results(function, thread.top - count, count, wanted_results);
  return {};
}

Status prepare_call_metamethod(Vm& vm, Thread& thread, Value* function, int argument_count) {
  const Value method = vm.metamethod(*function, Metamethod::Call);
  if (method.is_nil()) return raise_call_error(vm, *function);
  Value* arguments = function + kCallOverheadSlots;
  TRY(ensure_stack(vm, arguments + argument_count, 1));
  for (int i = argument_count; i > 0; --i) arguments[i] = arguments[i - 1];
  arguments[0] = *function;
  *function = method;
  if (thread.top < arguments + argument_count + 1) thread.top = arguments + argument_count + 1;
  return {};
}

Status make_room_for_header(Vm& vm, Thread& thread, Value* function) {
  TRY(ensure_stack(vm, thread.top, kFrameHeaderSlots));
  for (Value* slot = thread.top; --slot > function;) slot[kFrameHeaderSlots] = *slot;
  thread.top += kFrameHeaderSlots;
  return {};
}

}  // namespace mangata
