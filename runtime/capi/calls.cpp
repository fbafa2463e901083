// Calls and errors (Lua 5.4 manual §4.4-4.6).
//
// On the stack of the C API a function lies right below its arguments; frames need the two slots of a header in between. So
// a call moves its arguments up.
#include "runtime/c_boundary/protect.h"
#include "runtime/capi/status.h"
#include "vm/interpreter/coroutine.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {

int status_of_error(Vm& vm, const Value& error) {
  if (error.is_identical(Value::string(vm.memory_error))) return LUA_ERRMEM;
  if (error.is_identical(vm.string_value("error in error handling"))) return LUA_ERRERR;
  return LUA_ERRRUN;
}

namespace {

/// A frame header counts results in ten bits. More of them are asked for as all, and adjusted afterwards.
constexpr int kMostFixedResults = 500;

/// Moves the arguments at the top up; the slot of their function. Raises "stack overflow".
[[gnu::always_inline]] inline Result<Value*> open_call(Thread& thread, int argument_count) {
  constexpr int kSlots = kFrameHeaderSlots + 1;
  if (thread.top + kSlots > thread.stack_soft_limit) [[unlikely]]
    TRY(ensure_stack(*thread.vm, thread.top, kSlots));
  Value* arguments = thread.top - argument_count;
  for (Value* slot = thread.top; slot-- > arguments;) slot[kFrameHeaderSlots] = *slot;
  for (int i = 0; i < kFrameHeaderSlots; ++i) arguments[i].set_nil();
  thread.top += kFrameHeaderSlots;
  return arguments - 1;
}

[[gnu::always_inline]] inline Status close_call(Thread& thread, Value* function, int wanted_results) {
  if (wanted_results <= kMostFixedResults) return {};
  TRY(ensure_stack(*thread.vm, function, wanted_results));
  Value* top = function + wanted_results;
  while (thread.top < top) push(thread, Value::nil());
  thread.top = top;
  return {};
}

int results_for_frame(int wanted_results) {
  return wanted_results > kMostFixedResults ? kMultipleResults : wanted_results;
}

[[gnu::always_inline]] inline Status call_without_yield(Thread& thread, int argument_count, int wanted_results) {
  Value* function = TRY(open_call(thread, argument_count));
  ++thread.non_yieldable;
  const Status called = call(*thread.vm, function, argument_count, results_for_frame(wanted_results));
  --thread.non_yieldable;
  if (!called.ok()) return Raised{};
  return close_call(thread, function, wanted_results);
}

/// LUA_OK, or the status of the error that is at the top instead of the function. Raises only while the thread is
/// being closed, or everything ends (Vm::terminating), and when not even the call could be made.
Result<int> call_protected(Thread& thread, int argument_count, int wanted_results, const Value& handler) {
  Vm& vm = *thread.vm;
  Value* function = TRY(open_call(thread, argument_count));
  if (protected_call(vm, function, argument_count, results_for_frame(wanted_results), handler)) {
    TRY(close_call(thread, function, wanted_results));
    return LUA_OK;
  }
  if (thread.being_closed || vm.terminating) return Raised{};
  return status_of_error(vm, *function);
}

/// Tells whether the running coroutine yields between its construction and yielded(): each time it is suspended, the place where it
/// is to be resumed is stored.
class YieldWatch {
 public:
  explicit YieldWatch(Thread& thread) : thread_(thread), context_(thread.context) { thread.context = nullptr; }
  bool yielded() {
    if (thread_.context != nullptr) return true;
    thread_.context = context_;
    return false;
  }

 private:
  Thread& thread_;
  void* context_;
};

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

void lua_callk(lua_State* L, int nargs, int nresults, lua_KContext ctx, lua_KFunction k) {
  Thread& thread = thread_of(L);
  if (k == nullptr || !is_yieldable(thread)) [[likely]] {
    protect(thread, [&] { return call_without_yield(thread, nargs, nresults); });
    return;
  }
  YieldWatch watch(thread);
  protect(thread, [&]() -> Status {
    Value* function = TRY(open_call(thread, nargs));
    const Status called = call(*thread.vm, function, nargs, results_for_frame(nresults));
    if (!called.ok()) {
      (void)watch.yielded();
      return Raised{};
    }
    return close_call(thread, function, nresults);
  });
  if (watch.yielded()) jump_to_continuation(thread, LUA_YIELD, ctx, k);
}

int lua_pcallk(lua_State* L, int nargs, int nresults, int errfunc, lua_KContext ctx, lua_KFunction k) {
  Thread& thread = thread_of(L);
  const Value handler = errfunc == 0 ? Value::nil() : or_nil(value_at(thread, errfunc));
  if (k == nullptr || !is_yieldable(thread)) [[likely]] {
    return protect(thread, [&]() -> Result<int> {
      ++thread.non_yieldable;
      const Result<int> status = call_protected(thread, nargs, nresults, handler);
      --thread.non_yieldable;
      return status;
    });
  }
  YieldWatch watch(thread);
  const int status = protect(thread, [&] { return call_protected(thread, nargs, nresults, handler); });
  const bool yielded = watch.yielded();
  // An error is reported to the continuation, too, as if the coroutine had been resumed for it.
  if (yielded || status != LUA_OK) jump_to_continuation(thread, status == LUA_OK ? LUA_YIELD : status, ctx, k);
  return status;
}

int lua_error(lua_State* L) {
  Thread& thread = thread_of(L);
  thread.vm->error = *--thread.top;
  jump_with_error(*thread.vm);
}
