// What stops a state: requests by the watch, by interrupt() and by the fuel meter, which become a termination at the next poll.
#include "runtime/embed/limits.h"

#include <algorithm>

#include "runtime/embed/entry.h"
#include "vm/operations/operations.h"

namespace mangata::abi {

const char* termination_message(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Timeout: return "time limit exceeded";
    case ErrorKind::Fuel: return "out of fuel";
    case ErrorKind::StateGone: return "the state has been closed";
    default: return "interrupted";
  }
}

namespace {

/// The timeout of a call that has ended meanwhile.
bool is_late(const Core& core, ErrorKind requested) {
  const Watched& limits = core.watched;
  return requested == ErrorKind::Timeout && limits.timed_out_call.load() != limits.call.load(std::memory_order_relaxed);
}

}  // namespace

Status on_interrupt(Vm& vm) {
  Core& core = core_of(vm);
  const ErrorKind requested = core.watched.requested.exchange(ErrorKind::None);
  if (!vm.terminating) {
    if (requested == ErrorKind::None || is_late(core, requested)) return {};
    vm.terminating = true;
    core.termination = requested;
    note_stop(vm, *vm.current, termination_message(requested), &core.termination_message, &core.termination_traceback);
  }
  vm.request_interrupt();  // whoever swallows the error gets it again
  return raise_plain(vm, termination_message(core.termination));
}

void begin_outermost(Core& core) {
  Watched& limits = core.watched;
  const int64_t timeout = limits.timeout_ns.load(std::memory_order_relaxed);
  limits.call_timeout_ns.store(timeout, std::memory_order_relaxed);
  limits.call.store(limits.call.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the watch's barrier makes it one between threads
  if (timeout != 0) core.host->watch.wake_if_asleep();
  if (limits.requested.load() == ErrorKind::None) return;
  ErrorKind late = ErrorKind::Timeout;  // of a call before this one
  if (!limits.requested.compare_exchange_strong(late, ErrorKind::None)) core.vm->request_interrupt();
}

void end_outermost(Core& core) {
  Watched& limits = core.watched;
  limits.call.store(limits.call.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  if (!core.vm->terminating) return;
  core.vm->terminating = false;
  core.vm->forget_request();
}

void interrupt(Core* core) {
  core->watched.requested.store(ErrorKind::Interrupted);
  core->watched.looks_again.store(true);
  core->host->watch.wake();
}

void clear_interrupt(Core* core) { core->watched.requested.store(ErrorKind::None); }

void apply_limits(Core& core, const Limits& limits) {
  Vm& vm = *core.vm;
  vm.heap.set_limit(limits.memory_bytes);
  vm.max_stack_slots = limits.stack_slots == 0 ? Thread::kMaxStackSlots
                                               : std::clamp(limits.stack_slots, kLeastStackSlots, Thread::kMaxStackSlots);
  Thread& main = *vm.main_thread;
  main.stack_end = main.stack + std::min(vm.max_stack_slots, main.stacks->slots);
  core.watched.timeout_ns.store(std::max<int64_t>(limits.timeout.count(), 0), std::memory_order_relaxed);
  core.fuel->fill(limits.fuel);
}

bool set_limits(Core* core, const Limits& limits) {
  if (core->vm == nullptr) return false;
  Error ignored;
  const Entry entry(core, &ignored);
  if (entry.ok()) apply_limits(*core, limits);
  return entry.ok();
}

namespace {

/// What `get` says of the state, inside it; 0 when it is closed, or another thread is inside.
template <typename Get>
auto read_inside(Core* core, Get get) {
  using Number = decltype(get());
  if (core->vm == nullptr) return Number{0};
  Error ignored;
  const Entry entry(core, &ignored);
  return entry.ok() ? get() : Number{0};
}

}  // namespace

uint64_t fuel_left(Core* core) {
  return read_inside(core, [core] { return core->fuel->left(); });
}

size_t memory_used(Core* core) {
  return read_inside(core, [core] { return core->vm->heap.total_bytes(); });
}

bool collect_garbage(Core* core, Error* error) {
  Entry entry(core, error);
  if (!entry.ok()) return false;
  if (core->vm->heap.collect_full().ok()) return true;
  describe_error(*core, core->vm->error, error);
  core->vm->error = mangata::Value::nil();
  return false;
}

}  // namespace mangata::abi
