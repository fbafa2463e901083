// Upvalues and to-be-closed variables leaving scope (Lua 5.4 manual §3.3.8, §3.5).
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"

namespace mangata {

Upvalue* find_upvalue(Vm& vm, Thread& thread, Value* slot) {
  Upvalue** link = &thread.open_upvalues;
  while (*link != nullptr && (*link)->location > slot) link = &(*link)->next_open;
  if (*link != nullptr && (*link)->location == slot) return *link;
  auto* upvalue = static_cast<Upvalue*>(vm.heap.allocate_small(ObjectType::Upvalue, sizeof(Upvalue)));
  upvalue->location = slot;
  upvalue->next_open = *link;
  *link = upvalue;
  return upvalue;
}

void close_upvalues(Thread& thread, Value* level) {
  while (Upvalue* upvalue = thread.open_upvalues) {
    if (upvalue->location < level) break;
    thread.open_upvalues = upvalue->next_open;
    const Value value = *upvalue->location;
    upvalue->closed = value;
    upvalue->location = &upvalue->closed;
    thread.vm->heap.write_barrier(upvalue, value);
  }
}

Status mark_to_be_closed(Vm& vm, Value* slot) {
  if (slot->is_falsy()) return {};
  Thread& thread = *vm.current;
  if (vm.metamethod(*slot, Metamethod::Close).is_nil()) {
    const Value* base = thread.base;
    const String* name = nullptr;
    if (frame_of(base)->is_native()) return raise_plain(vm, "variable '(C temporary)' got a non-closable value");
    if (frame_of(base)->is_lua()) {
      const Proto& proto = *function_slot(thread.base)->as_lua_function()->proto;
      name = local_name(proto, static_cast<int>(slot - base) + 1, current_pc(base));
    }
    return raise_message(vm, "variable '" + std::string(name != nullptr ? name->view() : "(temporary)") +
                                 "' got a non-closable value");
  }
  thread.to_be_closed.push_back(static_cast<uint32_t>(slot - thread.stack));
  return {};
}

namespace {

/// Pushes value.__close, value, error above everything live; returns the function slot, or null after raising.
Value* push_close_call(Vm& vm, Value value, Value error) {
  const Value method = vm.metamethod(value, Metamethod::Close);
  Thread& thread = *vm.current;
  Value* function = thread.top;
  if (!ensure_stack(vm, function, kCallOverheadSlots + 2).ok()) return nullptr;
  function[0] = method;  // nil when the metatable changed since it was marked: the call raises
  function[1].set_nil();
  function[2].set_nil();
  function[kCallOverheadSlots] = value;
  function[kCallOverheadSlots + 1] = error;
  thread.top = function + kCallOverheadSlots + 2;
  return function;
}

/// Normal exit of a block: an error goes to whoever catches it, and the remaining variables are closed there.
Status close_one(Vm& vm, Thread& thread, Value value) {
  Value* top = thread.top;
  Value* function = push_close_call(vm, value, Value::nil());
  if (function == nullptr) return Raised{};
  TRY(call(vm, function, 2, 0));
  thread.top = top;
  return {};
}

/// While an error unwinds: returns the error to go on with.
Value close_one_with_error(Vm& vm, Thread& thread, Value value, Value error, Value handler) {
  Value* top = thread.top;
  *thread.top++ = error;  // rooted while the method runs
  Value* function = push_close_call(vm, value, error);
  if (function == nullptr) {
    error = vm.error;
  } else if (!protected_call(vm, function, 2, 0, handler)) {
    error = function[0];
  }
  thread.top = top;
  return error;
}

}  // namespace

Status close_variables(Vm& vm, Thread& thread, Value* level, Value error, bool has_error, Value handler) {
  const auto level_index = static_cast<uint32_t>(level - thread.stack);
  while (!thread.to_be_closed.empty() && thread.to_be_closed.back() >= level_index) {
    Value* slot = thread.stack + thread.to_be_closed.back();
    thread.to_be_closed.pop_back();
    close_upvalues(thread, slot + 1);
    if (vm.terminating) continue;
    if (has_error) {
      error = close_one_with_error(vm, thread, *slot, error, handler);
      // The method had yielded, and the coroutine is closed instead of resumed: what remains is closed there, without the error.
      if (thread.being_closed) return Raised{};
    } else {
      TRY(close_one(vm, thread, *slot));
    }
  }
  close_upvalues(thread, level);
  if (!has_error) return {};
  vm.error = error;
  return Raised{};
}

}  // namespace mangata
