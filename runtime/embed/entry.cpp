#include "runtime/embed/entry.h"

#include <algorithm>

#include "runtime/embed/limits.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/protected_call.h"

namespace mangata::abi {
namespace {

/// More than this is given back where a call of the host ends.
constexpr ptrdiff_t kLargeStackSlots = 1 << 15;

/// Distinguishes threads by its address.
thread_local char this_thread;

}  // namespace

Entry::Entry(Core* core, Error* error) : core_(*core) {
  if (core_.depth == 0) {
    const void* nobody = nullptr;
    if (!core_.owner.compare_exchange_strong(nobody, &this_thread, std::memory_order_acquire)) {
      *error = {ErrorKind::Misuse, "the state is in use by another thread", {}};
      return;
    }
    outermost_ = true;
  } else if (core_.owner.load(std::memory_order_relaxed) != &this_thread) {
    *error = {ErrorKind::Misuse, "the state is in use by another thread", {}};
    return;
  }
  ++core_.depth;
  ok_ = true;
  thread_ = core_.vm->current;
  native_bound_ = thread_->native_bound;
  if (thread_->native_stack == nullptr) {  // the host's own stack
    adopt_callers_stack(*thread_, outermost_);
  }
  if (outermost_) begin_outermost(core_);
}

Entry::~Entry() {
  if (!ok_) return;
  thread_->native_bound = native_bound_;
  thread_->set_soft_limit(thread_->stack_soft_limit);
  --core_.depth;
  if (!outermost_) return;
  end_outermost(core_);
  // After a deep recursion the stack, which counts as memory, becomes small again.
  if (thread_->stack_soft_limit - thread_->top > kLargeStackSlots) {
    clear_stack_above_top(*thread_);
    change_soft_limit(*core_.vm, *thread_, thread_->top + kLargeStackSlots / 8);
  }
  const bool closes = core_.close_when_left;
  core_.owner.store(nullptr, std::memory_order_release);
  if (!closes) return;
  close_state(&core_);
  release(&core_);
}

bool Entry::call(mangata::Value* function, int argument_count, int result_count, Error* error) {
  Vm& vm = *core_.vm;
  ++thread_->non_yieldable;  // across the host's frames
  const bool ok = protected_call(vm, function, argument_count, result_count, core_.handler(), note_memory_error);
  --thread_->non_yieldable;
  if (ok) return true;
  const mangata::Value value = thread_->being_closed || vm.terminating ? vm.error : function[0];
  describe_error(core_, value, error);
  thread_->top = function;
  return false;
}

bool reserve_stack(Thread& thread, int slots, Error* error) {
  if (make_stack_room(thread, thread.top, slots)) return true;
  *error = {ErrorKind::Runtime, "stack overflow", {}};
  return false;
}

bool Entry::safepoint(Error* error) {
  Vm& vm = *core_.vm;
  if (!vm.heap.needs_step() || vm.terminating) return true;
  if (vm.heap.step().ok()) return true;
  describe_error(core_, vm.error, error);
  vm.error = mangata::Value::nil();
  return false;
}

}  // namespace mangata::abi
