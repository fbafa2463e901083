// debug.sethook and debug.gethook (Lua 5.4 manual §6.10). Who calls the hooks: vm/interpreter/hooks.cpp.
#include <string>

#include "runtime/lib/debug_library.h"
#include "vm/interpreter/interpreter.h"

namespace mangata {
namespace {

/// registry._HOOKKEY: the hook functions by thread, where Lua 5.4 keeps them, with weak keys. The machine
/// itself looks only at Thread::hook_function.
Table* hook_table(Vm& vm) {
  const Value found = table_get_string(vm.registry, vm.intern("_HOOKKEY"));
  if (found.is_table()) return found.as_table();
  Table* hooks = table_new(vm);
  set_field(vm, hooks, "__mode", vm.string_value("k"));
  table_set_metatable(vm, hooks, hooks);
  set_field(vm, vm.registry, "_HOOKKEY", Value::table(hooks));
  return hooks;
}

}  // namespace

Value hook_set_by_script(Vm& vm, Thread& thread) { return table_get(hook_table(vm), Value::thread(&thread)); }

Result<int> debug_sethook(Call& call) {
  const auto [thread, first] = thread_argument(call);
  uint8_t mask = 0;
  int32_t count = 0;
  if (!call.is_none_or_nil(first)) {
    const std::string_view letters = TRY(call.check_view(first + 1));
    TRY(call.check_function(first));
    count = static_cast<int32_t>(TRY(call.optional_integer(first + 2, 0)));
    if (letters.find('c') != std::string_view::npos) mask |= kHookCall;
    if (letters.find('r') != std::string_view::npos) mask |= kHookReturn;
    if (letters.find('l') != std::string_view::npos) mask |= kHookLine;
    if (count > 0) mask |= kHookCount;
  }
  thread->hook_function = mask == 0 ? Value::nil() : call[first];
  call.vm().heap.write_barrier(thread, thread->hook_function);
  TRY(table_set(call.vm(), hook_table(call.vm()), Value::thread(thread), thread->hook_function));
  thread->hook_mask = mask | (thread->hook_mask & (kLocalsChanged | kRecording));
  thread->hook_count = count;
  thread->hook_count_left = count;
  return 0;
}

Result<int> debug_gethook(Call& call) {
  Thread* thread = thread_argument(call).thread;
  if (thread->hook_function.is_nil()) return call.ret(Value::nil());
  Value shown = thread->hook_function;
  if (!shown.is_identical(hook_set_by_script(call.vm(), *thread))) shown = call.vm().string_value("external hook");
  std::string letters;
  if ((thread->hook_mask & kHookCall) != 0) letters += 'c';
  if ((thread->hook_mask & kHookReturn) != 0) letters += 'r';
  if ((thread->hook_mask & kHookLine) != 0) letters += 'l';
  return call.ret(shown, call.vm().string_value(letters), Value::integer(thread->hook_count));
}

}  // namespace mangata
