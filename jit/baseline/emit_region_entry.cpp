// From a loop of baseline code into optimized code, and back (jit/abi/compiled_region.h).
//
// Each backedge tests a word: the optimized code of the loop, if there is any. That is called with the frame
// as it is; what it returns says where this code goes on (complete_exit).
#include <algorithm>

#include "jit/abi/compiled_region.h"
#include "jit/abi/region_runtime.h"
#include "jit/baseline/compiler.h"
#include "jit/baseline/function_region_stub.h"

namespace mangata::jit {

using namespace registers;

namespace {

constexpr uint32_t kFrameBytes = 16;  ///< of a Lua function: the return address, and what its prologue pushes

}  // namespace

/// In code with events only where regions execute them, too.
void BaselineCompiler::find_region_entries() {
  if (!enters_regions_ || (has_events_ && !regions_have_events_)) return;
  for (int pc = 0; pc < code_length_; ++pc) {
    if (!is_backedge(proto_->code[pc])) continue;
    const Instruction* head = behind_events(proto_->path_counters, proto_->code + pc + 1 + proto_->code[pc].imm);
    region_heads_.push_back(CodePc(head - proto_->code));
  }
  std::sort(region_heads_.begin(), region_heads_.end());
  region_heads_.erase(std::unique(region_heads_.begin(), region_heads_.end()), region_heads_.end());
  region_entries_ = LowArray<RegionEntry>(region_heads_.size());
}

Mem BaselineCompiler::RegionEntryWord::at(size_t offset) const {
  return is_low ? word_at(address + offset) : word_at(t0, static_cast<int>(offset));
}

/// t0 := where it is, unless instructions can say that themselves.
void BaselineCompiler::load_region_entry(const RegionEntryWord& entry) {
  if (!entry.is_low) load_immediate(t0, entry.address);
}

/// Calls the optimized code: t0 is what it returns. a3: the RegionCode, for by the time it comes back, another region may be installed.
void BaselineCompiler::emit_call_of_region(const RegionEntryWord& entry) {
  masm_.load(a3, entry.at(offsetof(RegionEntry, region)));
  if (measures_loops_) {
    masm_.load_clock();
    masm_.subtract(word_at(a3, offsetof(RegionCode, cycles)), a2);
    load_region_entry(entry);
  }
  masm_.move(a0, kThread);
  masm_.move(a1, kBase);
  masm_.move(a2, kVm);
  masm_.push(a3);
  masm_.push(a3);
  slow_frames_.push_back({masm_.offset(), kFrameBytes + 16});
  masm_.call(entry.at(offsetof(RegionEntry, entry)));
  masm_.pop(a3);
  masm_.pop(a3);
  slow_frames_.push_back({masm_.offset(), kFrameBytes});
  if (measures_loops_) {
    masm_.move(a4, t0);
    masm_.load_clock();
    masm_.add(word_at(a3, offsetof(RegionCode, cycles)), a2);
    masm_.move(t0, a4);
  }
}

/// Goes on where the exit in t0 says, or leaves.
void BaselineCompiler::emit_exit_of_region(const RegionEntryWord& entry) {
  const Label special = masm_.new_label(), special_in_a2 = masm_.new_label(), raised = masm_.new_label();
  masm_.branch_if_negative(t0, special);
  const Label goes_on = masm_.new_label(), not_plain = masm_.new_label();
  emit_plain_exit(masm_, not_plain);
  load_region_entry(entry);
  masm_.jump(goes_on);
  masm_.bind(not_plain);
  emit_call_of_complete_exit(masm_);
  masm_.move(a2, t0);
  load_region_entry(entry);
  masm_.branch_if_negative(a2, special_in_a2);
  masm_.bind(goes_on);
  emit_jump_to_baseline(masm_, entry.at(offsetof(RegionEntry, resume_offsets)), entry.at(offsetof(RegionEntry, code)), has_events_);
  masm_.bind(special);
  masm_.move(a2, t0);
  masm_.bind(special_in_a2);
  masm_.load_word(t0, static_cast<int64_t>(kRaised));  // C++ looks at all of it
  masm_.compare(a2, static_cast<int>(kRegionRaised));
  masm_.branch(Condition::Equal, raised);
  masm_.load_word(low(t0), static_cast<int>(kLeave));
  masm_.bind(raised);
  masm_.jump(leave_);
}

/// `location`: of the path register, as it is at the head.
void BaselineCompiler::emit_region_entry(CodePc head, const PathLocation& location) {
  const auto found = std::lower_bound(region_heads_.begin(), region_heads_.end(), head);
  if (found == region_heads_.end() || *found != head) return;
  const uint64_t address = address_of(&region_entries_[static_cast<size_t>(found - region_heads_.begin())]);
  const RegionEntryWord entry{.address = address, .is_low = address + sizeof(RegionEntry) <= INT32_MAX};
  const Label stays = masm_.new_label();
  const Label enter = slow_path([this, entry, stays, location] {
    masm_.compare(kStack, thread_field(offsetof(Thread, region_limit)));
    masm_.branch(Condition::Below, stays);
    spill_path(location);
    emit_call_of_region(entry);
    emit_exit_of_region(entry);
  });
  load_region_entry(entry);
  if (measures_loops_) masm_.add(entry.at(offsetof(RegionEntry, iterations)), 1);
  masm_.compare(entry.at(offsetof(RegionEntry, entry)), 0);
  masm_.branch(Condition::NotEqual, enter);
  masm_.bind(stays);
}

}  // namespace mangata::jit
