#include "runtime/embed/entry.h"

#include <pthread.h>

#include <algorithm>

#include "runtime/embed/limits.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

/// More than this is given back where a call of the host ends.
constexpr ptrdiff_t kLargeStackSlots = 1 << 15;

/// Distinguishes threads by its address.
thread_local char this_thread;

struct NativeStackRange {
  char* low = nullptr;
  char* high = nullptr;
};

NativeStackRange stack_of_this_thread() {
  NativeStackRange range;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return range;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    range.low = static_cast<char*>(low);
    range.high = range.low + bytes;
  }
  pthread_attr_destroy(&attributes);
  return range;
}

}  // namespace

char* native_limit_here() {
  // On a stack that is not the thread's own (fibers of the host), this much is taken to be left.
  constexpr size_t kAssumedBytes = kNativeReserveBytes + 128 * 1024;
  // The process's main stack may be unlimited.
  constexpr size_t kUsableBytes = size_t{64} << 20;
  thread_local const NativeStackRange range = stack_of_this_thread();
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (here < range.low || here >= range.high) return here - kAssumedBytes + kNativeReserveBytes;
  char* low = std::max(range.low, range.high - std::min<size_t>(kUsableBytes, static_cast<size_t>(range.high - range.low)));
  return std::min(low, here) + kNativeReserveBytes;
}

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
    thread_->native_limit = native_limit_here();
    const auto* here = static_cast<const char*>(__builtin_frame_address(0));
    const size_t available = here > thread_->native_limit ? static_cast<size_t>(here - thread_->native_limit) : 0;
    thread_->set_native_bound(static_cast<size_t>(thread_->top - thread_->stack) + slots_without_native_check(available));
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
  const bool ok = protected_call(vm, function, argument_count, result_count, core_.handler());
  --thread_->non_yieldable;
  if (ok) return true;
  const mangata::Value value = thread_->being_closed || vm.terminating ? vm.error : function[0];
  describe_error(core_, value, error);
  thread_->top = function;
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
