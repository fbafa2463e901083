// Pushing frames: the slow and shared half of calls. The interpreter's Call handler has the fast half inline.
#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/native_call.h"
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
  return call_native_inline(vm, thread, function, argument_count, wanted_results);
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
