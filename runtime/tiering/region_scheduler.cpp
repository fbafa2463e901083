#include "runtime/tiering/region_scheduler.h"

#include <algorithm>

#include "profiler/profiled_function.h"
#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/thread.h"

namespace mangata {
namespace {

/// A function whose regions have proved wrong so often gets no more of them.
constexpr uint32_t kMostInvalidated = 3;

}  // namespace

void RegionScheduler::sample(Proto& proto, FunctionState* function, uint64_t events) {
  install_finished();
  compiler_.events_happened(proto, events);
  if (function == nullptr) return;
  watch(proto, *function);
  Proto* other = compiler_.next_with_regions();
  if (other != nullptr && other != &proto) watch(*other);
}

void RegionScheduler::record_if_due(Proto& proto, FunctionState& function) {
  const uint64_t after = function.regions.profitable_after;
  if (after != 0 && function.sampled->so_far.events >= after && functions_.may_compile(function)) record_when_profitable(proto, function);
}

void RegionScheduler::watch(Proto& proto) {
  if (FunctionState* function = functions_.find(proto); function != nullptr) watch(proto, *function);
  install_finished();  // it may be what the region was left for
}

void RegionScheduler::watch(Proto& proto, FunctionState& function) {
  const auto invalidated = compiler_.watch(proto);
  if (!invalidated) return;
  report_(*invalidated);
  if (++function.regions.invalidated < kMostInvalidated && functions_.may_compile(function)) compiler_.start_recording(proto);
}

/// A small function is best optimized where it is called, and then, perhaps, no more itself. So those that are calling it now are
/// recorded first: they have fewer events of their own, and the policy would ask for them late. Its time is spent on behalf of
/// the innermost of them.
void RegionScheduler::optimize(Proto& proto, uint32_t compiler, const std::vector<Proto*>& callers) {
  compiler_.choose_compiler(proto, compiler);
  FunctionState& function = functions_[proto];
  for (Proto* caller : callers) {
    FunctionState* of_caller = functions_.find(*caller);
    if (caller == &proto || caller->compiled == nullptr || of_caller == nullptr || !functions_.may_compile(*of_caller)) continue;
    if (of_caller->sampled == nullptr || of_caller->regions.was_recorded) continue;
    of_caller->regions.was_recorded = true;
    if (caller == callers.front() && compiler_.profitable_after(*caller, function.sampled->so_far) == 0) {
      of_caller->regions.profitable_after = 0;
      compiler_.start_recording(*caller);
    } else {
      record_when_profitable(*caller, *of_caller);
    }
  }
  function.regions.was_recorded = true;
  record_when_profitable(proto, function);
}

/// Now, or when it has run for longer.
void RegionScheduler::record_when_profitable(Proto& proto, FunctionState& function) {
  function.regions.profitable_after = compiler_.profitable_after(proto, function.sampled->so_far);
  if (function.regions.profitable_after == 0) compiler_.start_recording(proto);
}

void RegionScheduler::drop(Proto& proto) {
  FunctionState& function = functions_[proto];
  function.regions.profitable_after = 0;
  function.regions.was_recorded = true;
  for (const RegionOutcome& dropped : compiler_.drop(proto)) report_(dropped);
}

void RegionScheduler::recording_ended(Proto& proto) {
  const FunctionState& function = functions_[proto];
  const RunSoFar so_far = function.sampled == nullptr ? RunSoFar() : function.sampled->so_far;
  for (const RegionOutcome& refused : compiler_.request(proto, counted_paths(proto, function), so_far)) note(refused);
  install_finished();
}

/// Of the loops of a function: what is counted exactly, or by what plans have counted.
std::vector<LoopPaths> RegionScheduler::counted_paths(const Proto& proto, const FunctionState& function) const {
  if (counts_paths_exactly_) {
    const ProfiledFunction* exact = profiled_function(proto);
    return exact == nullptr ? std::vector<LoopPaths>() : loop_paths(static_cast<const FunctionRecord&>(*exact));
  }
  return function.sampled == nullptr ? std::vector<LoopPaths>() : loop_paths(*function.sampled);
}

void RegionScheduler::install_finished() {
  for (const RegionOutcome& outcome : compiler_.finished()) note(outcome);
}

void RegionScheduler::note(const RegionOutcome& outcome) {
  uint64_t& after = functions_[*outcome.place.proto].regions.profitable_after;
  if (outcome.profitable_after != 0) after = after == 0 ? outcome.profitable_after : std::min(after, outcome.profitable_after);
  report_(outcome);
}

std::vector<Proto*> callers_of(const Thread& thread) {
  constexpr int kMostCallers = 4;
  std::vector<Proto*> callers;
  Value* base = thread.base;
  for (int i = 0; i < kMostCallers && caller_base(base) != base; ++i) {
    base = caller_base(base);
    if (!frame_of(base)->is_lua() || !function_slot(base)->is_lua_function()) break;
    callers.push_back(function_slot(base)->as_lua_function()->proto);
  }
  return callers;
}

}  // namespace mangata
