// Pacing: when the collector works, and how much (Lua 5.4 manual §2.5.1).
//
// [DESIGN] In Pause the heap may grow to pause_percent of what survived (large objects count a quarter, what functions
// own nothing), and by kMinimumGrowthBytes at least. While marking, a step is due every kStepBytes of allocation; it visits
// kVisitsPerByte * step_multiplier_percent / 100 references per byte allocated, so that a cycle ends long
// before the heap has doubled. The atomic phase comes when nothing is gray.
//
// Memory limit: passing it makes the next safepoint collect; if the heap is still over the limit, the
// safepoint raises "not enough memory". The error unwinds frames, which frees what they held; the program
// goes on.
#include <algorithm>

#include "vm/heap/collector.h"
#include "vm/heap/emergency_memory.h"
#include "vm/heap/memory_grant.h"
#include "vm/vm.h"

namespace mangata {
namespace {

constexpr size_t kMinimumGrowthBytes = 256 * 1024;
constexpr ptrdiff_t kStepBytes = 64 * 1024;
constexpr ptrdiff_t kVisitsPerByte = 2;
constexpr size_t kLargeSweptPerStep = 256;
constexpr size_t kTrimSlackBytes = 256 * 1024;
constexpr ptrdiff_t kUrgentDebt = PTRDIFF_MAX / 2;

Raised raise_memory_error(Vm& vm) {
  vm.error = Value::string(vm.memory_error);
  return Raised{};
}

}  // namespace

void Collector::enter_pause(bool trims_at_once) {
  phase = CollectorPhase::Pause;
  const size_t all_in_use = heap.total_bytes();
  if (heap.grant_ != nullptr) heap.limit_bytes_ = heap.grant_->shrink_to(all_in_use);
  const size_t in_use = all_in_use - std::min(revived_bytes, all_in_use);
  const size_t percent = static_cast<size_t>(std::max(pause_percent, 100));
  // Large objects count a quarter: they are cheap to mark, and their garbage is what shows in the peak. What functions own is not
  // garbage as a rule: the more machine code there is, the less it says about how much of the heap will be.
  const size_t basis = in_use - std::min(in_use, heap.large_->bytes / 4 * 3 + heap.function_bytes_);
  const size_t growth = std::max(basis / 100 * (percent - 100), kMinimumGrowthBytes);
  threshold_bytes = in_use + growth;
  heap.blocks_.trim(growth + kTrimSlackBytes, trims_at_once);
  set_debt();
}

/// How far the next step is away.
void Collector::set_debt() {
  if (stress || strings_are_crowded || EmergencyMemory::is_short()) {
    heap.debt_bytes_ = kUrgentDebt;
  } else if (stopped) {
    heap.debt_bytes_ = -kUrgentDebt;
  } else if (phase == CollectorPhase::Pause) {
    heap.debt_bytes_ = static_cast<ptrdiff_t>(heap.total_bytes()) - static_cast<ptrdiff_t>(threshold_bytes);
  } else {
    heap.debt_bytes_ = -kStepBytes;
  }
}

void Collector::finish_sweeping(bool trims_at_once) {
  heap.large_->sweep_some(SIZE_MAX);
  enter_pause(trims_at_once);
}

bool Collector::advance(ptrdiff_t debt_bytes) {
  switch (phase) {
    case CollectorPhase::Pause:
      start_cycle();
      [[fallthrough]];
    case CollectorPhase::Marking: {
      const ptrdiff_t visits_per_byte_percent = kVisitsPerByte * std::max(step_multiplier_percent, 10);
      const WorkUnits budget =
          std::min<ptrdiff_t>(debt_bytes, PTRDIFF_MAX / 10000) * visits_per_byte_percent / 100;
      if (mark_some(std::max<WorkUnits>(budget, 1)) == 0) return false;
      finish_marking(/*in_steps=*/true);
      [[fallthrough]];
    }
    case CollectorPhase::Sweeping:
      heap.large_->sweep_some(kLargeSweptPerStep + static_cast<size_t>(debt_bytes) / 256);
      if (heap.large_->sweeping()) return false;
      enter_pause();
      return true;
  }
  return false;
}

Status Collector::run_cycle() {
  if (phase == CollectorPhase::Marking) abandon_cycle();
  if (phase == CollectorPhase::Sweeping) finish_sweeping();
  start_cycle();
  TRY(propagate_interruptibly());
  finish_marking(/*in_steps=*/false);
  finish_sweeping(/*trims_at_once=*/true);
  return {};
}

bool Collector::has_room() {
  if (EmergencyMemory::is_short()) {
    release_free_regions(heap.blocks_);
    heap.large_->mappings.clear();
  }
  return heap.may_hold(heap.total_bytes()) && !strings_are_crowded && (!EmergencyMemory::is_short() || EmergencyMemory::restore());
}

Status Collector::check_limit() {
  if (!was_refused && has_room()) {
    set_debt();
    return {};
  }
  was_refused = false;
  TRY(run_cycle());
  unwind_threads();
  call_finalizers();
  if (!has_room()) {
    TRY(run_cycle());  // finalized objects and what the unwound frames held; large objects leave the cache of their mappings
    if (!has_room()) return raise_memory_error(vm);
  }
  set_debt();
  return {};
}

Status Collector::step() {
  if (stress) return collect_full();
  const ptrdiff_t debt_bytes = heap.debt_bytes_;
  const bool over_limit = debt_bytes >= kUrgentDebt / 2;
  if (!over_limit && !stopped) {
    advance(debt_bytes + kStepBytes);
  }
  set_debt();
  if (over_limit) TRY(check_limit());
  unwind_threads();
  call_finalizers();
  return {};
}

Status Collector::collect_full() {
  TRY(run_cycle());
  unwind_threads();
  call_finalizers();
  set_debt();
  return check_limit();
}

Result<bool> Heap::step_kilobytes(int kilobytes) {
  const ActivityScope collecting(vm_, Activity::Collector);
  Collector& collector = *collector_;
  bool cycle_ended = false;
  if (collector.generational) {
    TRY(collector.run_cycle());  // a generational step never reports the end of a cycle
  } else {
    const ptrdiff_t own_debt = std::clamp<ptrdiff_t>(debt_bytes_, -kStepBytes, kStepBytes);
    collector.asked_bytes += ptrdiff_t{kilobytes} * 1024;
    const ptrdiff_t debt = kilobytes == 0 ? kStepBytes : collector.asked_bytes + own_debt;
    if (debt > 0) {
      collector.asked_bytes = 0;
      cycle_ended = collector.advance(debt);
    }
  }
  collector.set_debt();
  collector.unwind_threads();
  collector.call_finalizers();
  return cycle_ended;
}

Status Heap::ensure_headroom(size_t bytes) {
  if (limit_bytes_ == 0) return {};
  if (bytes > PTRDIFF_MAX / 2) return raise_memory_error(vm_);
  if (may_hold(total_bytes() + bytes)) return {};
  if (grant_ != nullptr || bytes <= limit_bytes_) TRY(collect_full());
  if (may_hold(total_bytes() + bytes)) return {};
  return raise_memory_error(vm_);
}

}  // namespace mangata
