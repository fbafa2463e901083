// Threads and coroutines (Lua 5.4 manual §4.5-4.6). [DESIGN] of yields: boundary.h.
#include "vm/interpreter/coroutine.h"

#include "runtime/c_boundary/hooks.h"
#include "runtime/c_boundary/protect.h"
#include "runtime/capi/resumed_main.h"
#include "runtime/capi/status.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

bool runs_body(const Thread& thread) { return thread.base != thread.stack + kCallOverheadSlots; }

/// Out of address space, dead threads are collected before it fails.
Result<Thread*> new_thread(Vm& vm) {
  Thread* thread = vm.new_thread();
  if (thread == nullptr) {
    TRY(vm.heap.collect_full());
    thread = vm.new_thread();
  }
  if (thread == nullptr) return raise_out_of_memory(vm);
  return thread;
}

/// Puts a message in the place of the arguments. The count of results stays what it was.
int fail_to_resume(Thread& thread, int argument_count, std::string_view message) {
  thread.top -= argument_count;
  push(thread, thread.vm->string_value(message));
  return LUA_ERRRUN;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

lua_State* lua_newthread(lua_State* L) {
  Thread& thread = thread_of(L);
  Thread* created = protect(thread, [&] { return new_thread(*thread.vm); });
  inherit_hook(*created, thread);
  push(thread, Value::thread(created));
  safepoint(thread);
  return state_of(*created);
}

int lua_resume(lua_State* L, lua_State*, int narg, int* nres) {
  Thread& thread = thread_of(L);
  Vm& vm = *thread.vm;
  arrive(vm);
  const bool is_main = is_idle_main(thread);
  if (!is_main && (thread.status == ThreadStatus::Running || thread.status == ThreadStatus::Normal)) {
    return fail_to_resume(thread, narg, "cannot resume non-suspended coroutine");
  }
  const bool has_function = runs_body(thread) || thread.top - narg > thread.stack + kCallOverheadSlots;
  if (thread.status == ThreadStatus::Failed || !has_function) {
    return fail_to_resume(thread, narg, "cannot resume dead coroutine");
  }
  if (is_main && !put_stand_in(vm)) return fail_to_resume(thread, narg, "not enough memory");
  if (thread.top + kMinimumNativeSlots > thread.stack_soft_limit) thread.set_soft_limit(thread.top + kMinimumNativeSlots);
  open_header(thread, narg);
  switch (resume(vm, thread, narg, nres)) {
    case ResumeOutcome::Yielded:
      return LUA_YIELD;
    case ResumeOutcome::Returned:
      take_stand_in_away(vm);
      return LUA_OK;
    case ResumeOutcome::Failed:
      break;
  }
  if (exception_is_kept(vm)) throw_kept_exception(*vm.current, vm.current->base, vm.current->top);
  push(thread, thread.top[-1]);  // the caller takes this one; the other is what lua_closethread reports
  *nres = lua_gettop(L);             // all that the function which failed has left, below the message
  return status_of_error(vm, thread.top[-1]);
}

int lua_yieldk(lua_State* L, int nresults, lua_KContext ctx, lua_KFunction k) {
  Thread& thread = thread_of(L);
  protect(thread, [&] { return check_yieldable(*thread.vm, thread); });
  CBoundary* boundary = thread.c_boundary;
  if (!boundary->is_hook) jump_to_yield(thread, nresults, ctx, k);
  boundary->yield_requested = true;
  return 0;
}

int lua_status(lua_State* L) {
  const Thread& thread = thread_of(L);
  // lua_resume leaves the error there, below the one that its caller takes.
  if (thread.status == ThreadStatus::Failed) return lua_gettop(L) > 0 ? status_of_error(*thread.vm, thread.top[-1]) : LUA_ERRRUN;
  return thread.status == ThreadStatus::Suspended && runs_body(thread) ? LUA_YIELD : LUA_OK;
}

int lua_isyieldable(lua_State* L) {
  const Thread& thread = thread_of(L);
  return thread.non_yieldable == 0;
}

int lua_closethread(lua_State* L, lua_State*) {
  Thread& thread = thread_of(L);
  if (thread.vm->current == &thread) {  // nothing to unwind but the stack of the host
    lua_settop(L, 0);
    return LUA_OK;
  }
  const bool ok = close_coroutine(*thread.vm, thread);
  take_stand_in_away(*thread.vm);
  if (exception_is_kept(*thread.vm)) throw_kept_exception(*thread.vm->current, thread.vm->current->base, thread.vm->current->top);
  return ok ? LUA_OK : status_of_error(*thread.vm, thread.top[-1]);
}

int lua_resetthread(lua_State* L) { return lua_closethread(L, nullptr); }
