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

/// `location`: of the path register, as it is at the head.
void BaselineCompiler::emit_region_entry(CodePc head, const PathLocation& location) {
  const auto found = std::lower_bound(region_heads_.begin(), region_heads_.end(), head);
  if (found == region_heads_.end() || *found != head) return;
  const uint64_t address = address_of(&region_entries_[static_cast<size_t>(found - region_heads_.begin())]);
  const bool is_low = address + sizeof(RegionEntry) <= INT32_MAX;
  const auto entry_field = [address, is_low](size_t offset) {
    return is_low ? word_at(address + offset) : word_at(t0, static_cast<int>(offset));
  };
  const Label stays = masm_.new_label();
  const Label enter = slow_path([this, address, is_low, entry_field, stays, location] {
    masm_.compare(kStack, thread_field(offsetof(Thread, region_limit)));
    masm_.branch(Condition::Below, stays);
    spill_path(location);
    const Label special = masm_.new_label(), special_in_a2 = masm_.new_label();
    const Label raised = masm_.new_label();
    // By the time it comes back, another region may be installed.
    masm_.load(a3, entry_field(offsetof(RegionEntry, region)));
    if (measures_loops_) {
      masm_.load_clock();
      masm_.subtract(word_at(a3, offsetof(RegionCode, cycles)), a2);
      if (!is_low) load_immediate(t0, address);
    }
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.move(a2, kVm);
    masm_.push(a3);
    masm_.push(a3);
    slow_frames_.push_back({masm_.offset(), kFrameBytes + 16});
    masm_.call(entry_field(offsetof(RegionEntry, entry)));
    masm_.pop(a3);
    masm_.pop(a3);
    slow_frames_.push_back({masm_.offset(), kFrameBytes});
    if (measures_loops_) {
      masm_.move(a4, t0);
      masm_.load_clock();
      masm_.add(word_at(a3, offsetof(RegionCode, cycles)), a2);
      masm_.move(t0, a4);
    }
    masm_.branch_if_negative(t0, special);
    const Label goes_on = masm_.new_label(), not_plain = masm_.new_label();
    emit_plain_exit(masm_, not_plain);
    if (!is_low) load_immediate(t0, address);
    masm_.jump(goes_on);
    masm_.bind(not_plain);
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.move(a2, t0);
    masm_.call(complete_exit);
    masm_.move(a2, t0);
    if (!is_low) load_immediate(t0, address);
    masm_.branch_if_negative(a2, special_in_a2);
    masm_.bind(goes_on);
    masm_.load(a3, entry_field(offsetof(RegionEntry, resume_offsets)));
    masm_.load(low(a3), short_at(a3, a2, 2));
    masm_.add(a3, entry_field(offsetof(RegionEntry, code)));
    if (has_events_) masm_.load(kPath, word_at(kBase, kPathOffset));
    masm_.jump(a3);
    masm_.bind(special);
    masm_.move(a2, t0);
    masm_.bind(special_in_a2);
    masm_.load_word(t0, static_cast<int64_t>(kRaised));  // C++ looks at all of it
    masm_.compare(a2, static_cast<int>(kRegionRaised));
    masm_.branch(Condition::Equal, raised);
    masm_.load_word(low(t0), static_cast<int>(kLeave));
    masm_.bind(raised);
    masm_.jump(leave_);
  });
  if (!is_low) load_immediate(t0, address);
  if (measures_loops_) masm_.add(entry_field(offsetof(RegionEntry, iterations)), 1);
  masm_.compare(entry_field(offsetof(RegionEntry, entry)), 0);
  masm_.branch(Condition::NotEqual, enter);
  masm_.bind(stays);
}

}  // namespace mangata::jit
