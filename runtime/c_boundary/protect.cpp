// Running on behalf of a thread that is not the running one; see protect.h.
#include "runtime/c_boundary/protect.h"

#include "vm/interpreter/native_stack.h"

namespace mangata::capi {

void arrive_anew(Vm& vm) {
  adopt_callers_stack(*vm.current, /*is_outermost=*/true);
  vm.last_arrival = {native_thread_number, static_cast<char*>(__builtin_frame_address(0)), vm.current->top};
}

void leave_with_error(Thread& thread, Value* base, Value* top) {
  Vm& vm = *thread.vm;
  if (exception_is_kept(vm)) throw_kept_exception(thread, base, top);
  jump_with_error(vm);
}

void begin_foreign_run(Vm& vm, Thread& thread, ForeignRun* run) {
  Thread& previous = *vm.current;
  *run = {&previous, thread.resumer, thread.base, thread.native_bound,
          thread.native_limit, thread.region_limit, thread.c_boundary, thread.native_depth, thread.non_yieldable,
          thread.activations, thread.status, previous.status, thread.hooks_allowed};
  previous.status = ThreadStatus::Normal;
  thread.status = ThreadStatus::Running;
  thread.resumer = &previous;
  thread.native_limit = previous.native_limit;
  thread.region_limit = previous.region_limit;
  thread.set_native_bound(slots_without_native_check(0));
  thread.native_depth = previous.native_depth;
  thread.c_boundary = previous.c_boundary;
  ++thread.non_yieldable;
  vm.current = &thread;
}

void end_foreign_run(Vm& vm, Thread& thread, const ForeignRun& run) {
  thread.resumer = run.resumer;
  thread.base = run.base;
  thread.set_native_bound(static_cast<size_t>(run.native_bound - thread.stack));
  thread.native_limit = run.native_limit;
  thread.region_limit = run.region_limit;
  thread.c_boundary = run.c_boundary;
  thread.native_depth = run.native_depth;
  thread.non_yieldable = run.non_yieldable;
  thread.activations = run.activations;
  thread.hooks_allowed = run.hooks_allowed;
  thread.status = run.status;
  run.previous->status = run.previous_status;
  vm.current = run.previous;
}

}  // namespace mangata::capi
