#include "runtime/exact_counting.h"

#include <new>

#include "vm/interpreter/slow_paths.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr size_t kMostInstructions = size_t{1} << 14;

/// Calls `work`; what the profiler takes meanwhile is in the account. False: there is no memory.
template <class Work>
bool account_for(Vm& vm, PathProfiler& profiler, const Proto& proto, Work work) {
  if (!vm.heap.may_hold(vm.heap.total_bytes() + profiler.bytes_to_number(proto))) return false;
  const size_t before = profiler.memory_bytes();
  bool has_memory = true;
  try {
    work();
  } catch (const std::bad_alloc&) {
    has_memory = false;
  }
  vm.heap.account(static_cast<ptrdiff_t>(profiler.memory_bytes()) - static_cast<ptrdiff_t>(before));
  return has_memory;
}

}  // namespace

void limit_numbering(const Vm& vm, PathProfiler& profiler) {
  if (vm.embedder != nullptr) profiler.limit(vm.interrupt, kMostInstructions);
}

void count_new_function(Vm& vm, PathProfiler& profiler, Proto& proto) {
  for (bool is_done = false; !is_done;) {
    if (!account_for(vm, profiler, proto, [&] { is_done = profiler.proto_created(proto); })) return (void)raise_out_of_memory(vm);
    if (!is_done && !handle_interrupt(vm).ok()) return;
  }
}

bool count_old_function(Vm& vm, PathProfiler& profiler, Proto& proto, bool* is_counted) {
  if (vm.embedder != nullptr && vm.interrupt.load(std::memory_order_relaxed)) return false;
  return account_for(vm, profiler, proto, [&] { *is_counted = profiler.install_counting_version(proto); });
}

void forget_function(Vm& vm, PathProfiler& profiler, Proto& proto) {
  const size_t before = profiler.memory_bytes();
  profiler.proto_destroyed(proto);
  vm.heap.account(static_cast<ptrdiff_t>(profiler.memory_bytes()) - static_cast<ptrdiff_t>(before));
}

}  // namespace mangata
