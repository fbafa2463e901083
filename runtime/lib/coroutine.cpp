// The coroutine library (Lua 5.4 manual §6.2).
//
// Values travel between threads over their stacks: arguments are pushed on the stack of the coroutine, and
// results are taken from it. Read next: vm/interpreter/coroutine.h.
#include "vm/interpreter/coroutine.h"

#include "runtime/c_boundary/hooks.h"
#include "runtime/lib/libraries.h"
#include "vm/native.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

Result<Thread*> check_thread(Call& call) {
  if (call[0].is_thread()) return call[0].as_thread();
  return call.type_error(0, "thread");
}

const char* status_name(const Vm& vm, const Thread& coroutine) {
  if (&coroutine == vm.current) return "running";
  switch (coroutine.status) {
    case ThreadStatus::Suspended:
    case ThreadStatus::Dead:
      return is_resumable(coroutine) ? "suspended" : "dead";
    case ThreadStatus::Failed:
      return "dead";
    default:
      return "normal";
  }
}

/// What a resumption gave: `count` values at the top of the resumer's stack, or with ok false one error value
/// there.
struct Resumption {
  bool ok;
  int count;
};

Resumption fail_with(Call& call, std::string_view message) {
  call.push(call.vm().string_value(message));
  return {false, 1};
}

/// Resumes `coroutine` with the last `argument_count` values of the frame. Results replace them.
Resumption resume_with_arguments(Call& call, Thread& coroutine, int argument_count) {
  if (coroutine.status == ThreadStatus::Running || coroutine.status == ThreadStatus::Normal) {
    return fail_with(call, "cannot resume non-suspended coroutine");
  }
  if (!is_resumable(coroutine)) return fail_with(call, "cannot resume dead coroutine");
  if (!make_stack_room(coroutine, coroutine.top, argument_count + kMinimumNativeSlots))
    return fail_with(call, "too many arguments to resume");
  open_header(coroutine, 0);
  for (int i = argument_count; i > 0; --i) *coroutine.top++ = call.top(i);
  call.pop(argument_count);
  int result_count = 0;
  const ResumeOutcome outcome = resume(call.vm(), coroutine, argument_count, &result_count);
  if (outcome == ResumeOutcome::Failed) {
    call.push(coroutine.top[-1]);  // it stays there, too: closing the coroutine reports it once more
    return {false, 1};
  }
  coroutine.top -= result_count;
  if (!call.make_room(result_count + 1)) return fail_with(call, "too many results to resume");
  for (int i = 0; i < result_count; ++i) call.push(coroutine.top[i]);
  retire_stack(call.vm(), coroutine);
  return {true, result_count};
}

// --- direct forms (DirectCode)

int direct_create(Vm& vm, Value* function, int argument_count) {
  const Value body = function[kCallOverheadSlots];
  if (argument_count < 1 || !body.is_function()) return kNotDirect;
  Thread* coroutine = vm.new_thread();
  if (coroutine == nullptr) return kNotDirect;
  prepare_coroutine(*coroutine, body);
  *function = Value::thread(coroutine);
  return 1;
}

int direct_status(Vm& vm, Value* function, int argument_count) {
  const Value coroutine = function[kCallOverheadSlots];
  if (argument_count < 1 || !coroutine.is_thread()) return kNotDirect;
  *function = vm.string_value(status_name(vm, *coroutine.as_thread()));
  return 1;
}

/// A coroutine about to call `function`. Out of address space, dead coroutines are collected before it fails.
Result<Thread*> new_coroutine(Call& call, const Value& function) {
  Vm& vm = call.vm();
  Thread* coroutine = vm.new_thread();
  if (coroutine == nullptr) {
    TRY(vm.heap.collect_full());
    coroutine = vm.new_thread();
  }
  if (coroutine == nullptr) return raise_out_of_memory(vm);
  capi::inherit_hook(*coroutine, call.thread());
  prepare_coroutine(*coroutine, function);
  return coroutine;
}

Result<int> coroutine_create(Call& call) {
  Thread* coroutine = TRY(new_coroutine(call, TRY(call.check_function(0))));
  return call.ret(Value::thread(coroutine));
}

Result<int> coroutine_resume(Call& call) {
  Thread* coroutine = TRY(check_thread(call));
  const Resumption resumption = resume_with_arguments(call, *coroutine, call.count() - 1);
  if (!resumption.ok && call.vm().terminating) [[unlikely]]
    return raise_value(call.vm(), call.top(1));
  // The thread argument has done its service: its slot takes the first result.
  Value* first = call.base() + call.count() - resumption.count - 1;
  *first = Value::boolean(resumption.ok);
  return resumption.count + 1;
}

/// The function that coroutine.wrap returns. Errors propagate, with a position when they are messages.
Result<int> resume_wrapped(Call& call) {
  Thread* coroutine = call.upvalue(0).as_thread();
  const Resumption resumption = resume_with_arguments(call, *coroutine, call.count());
  if (resumption.ok) return resumption.count;
  return raise_from_coroutine(call.vm(), *coroutine, call.top(1));
}

NativeFunction* new_wrapper(Vm& vm, Value coroutine) {
  NativeFunction* wrapper = vm.new_native(resume_wrapped, "wrap", 1);
  wrapper->type_byte = static_cast<uint8_t>(NativeId::ResumeWrapped);
  wrapper->upvalues[0] = coroutine;
  return wrapper;
}

Result<int> coroutine_wrap(Call& call) {
  Thread* coroutine = TRY(new_coroutine(call, TRY(call.check_function(0))));
  return call.ret(Value::function(new_wrapper(call.vm(), Value::thread(coroutine))));
}

int direct_wrap(Vm& vm, Value* function, int argument_count) {
  if (direct_create(vm, function, argument_count) == kNotDirect) return kNotDirect;
  *function = Value::function(new_wrapper(vm, *function));
  return 1;
}

Result<int> coroutine_yield(Call& call) { return yield(call.vm(), call.count()); }

Result<int> coroutine_status(Call& call) {
  const Thread* coroutine = TRY(check_thread(call));
  return call.ret(call.vm().string_value(status_name(call.vm(), *coroutine)));
}

Result<int> coroutine_isyieldable(Call& call) {
  const Thread* coroutine = call.is_none(0) ? &call.thread() : TRY(check_thread(call));
  return call.ret(Value::boolean(coroutine->non_yieldable == 0));
}

Result<int> coroutine_running(Call& call) {
  return call.ret(Value::thread(&call.thread()), Value::boolean(&call.thread() == call.vm().main_thread));
}

Result<int> coroutine_close(Call& call) {
  Thread* coroutine = TRY(check_thread(call));
  const bool is_active =
      coroutine->status == ThreadStatus::Running || coroutine->status == ThreadStatus::Normal;
  if (is_active) return call.errorf("cannot close a %s coroutine", status_name(call.vm(), *coroutine));
  const bool closed = close_coroutine(call.vm(), *coroutine);
  if (call.vm().terminating) return raise_value(call.vm(), closed ? call.vm().error : *--coroutine->top);
  if (!closed) call.push(*--coroutine->top);
  retire_stack(call.vm(), *coroutine);
  return closed ? call.ret(Value::boolean(true)) : call.ret(Value::boolean(false), call.top(1));
}

}  // namespace

NativeFunction* resume_function(Vm& vm) { return vm.new_native(coroutine_resume, "resume"); }

void open_coroutine(Vm& vm) {
  Table* library = table_new(vm, 0, 8);
  set_functions(vm, library,
                {{"create", coroutine_create, NativeId::None, direct_create},
                 {"resume", coroutine_resume, NativeId::Resume},
                 {"running", coroutine_running},
                 {"status", coroutine_status, NativeId::None, direct_status},
                 {"wrap", coroutine_wrap, NativeId::None, direct_wrap},
                 {"yield", coroutine_yield, NativeId::Yield},
                 {"isyieldable", coroutine_isyieldable},
                 {"close", coroutine_close}});
  register_library(vm, "coroutine", library);
}

}  // namespace mangata
