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

using namespace asmjit::x86;

/// In code with events only where regions execute them, too.
void BaselineCompiler::find_region_entries() {
  if (!enters_regions_ || (has_events_ && !regions_have_events_)) return;
  for (int pc = 0; pc < code_length_; ++pc) {
    if (!is_backedge(proto_->code[pc])) continue;
    const Instruction* head = behind_events(proto_->path_counters, proto_->code + pc + 1 + proto_->code[pc].imm);
    region_heads_.push_back(static_cast<int>(head - proto_->code));
  }
  std::sort(region_heads_.begin(), region_heads_.end());
  region_heads_.erase(std::unique(region_heads_.begin(), region_heads_.end()), region_heads_.end());
  region_entries_ = LowArray<RegionEntry>(region_heads_.size());
}

/// The time stamp counter. Clobbers rax.
void BaselineCompiler::emit_clock_to_rdx() {
  a_.rdtsc();
  a_.shl(rdx, 32);
  a_.or_(rdx, rax);
}

/// `location`: of the path register, as it is at the head.
void BaselineCompiler::emit_region_entry(int head_pc, const PathLocation& location) {
  const auto found = std::lower_bound(region_heads_.begin(), region_heads_.end(), head_pc);
  if (found == region_heads_.end() || *found != head_pc) return;
  const uint64_t address = address_of(&region_entries_[static_cast<size_t>(found - region_heads_.begin())]);
  const bool is_low = address + sizeof(RegionEntry) <= INT32_MAX;
  const auto word_at = [address, is_low](size_t offset) {
    return is_low ? qword_ptr(address + offset) : qword_ptr(rax, static_cast<int>(offset));
  };
  const Label stays = a_.newLabel();
  const Label enter = slow_path([this, address, is_low, word_at, stays, location] {
    a_.cmp(rsp, thread_field(offsetof(Thread, region_limit)));
    a_.jb(stays);
    spill_path(location);
    const Label special = a_.newLabel(), special_in_rdx = a_.newLabel();
    const Label raised = a_.newLabel();
    // By the time it comes back, another region may be installed.
    a_.mov(rcx, word_at(offsetof(RegionEntry, region)));
    if (measures_loops_) {
      emit_clock_to_rdx();
      a_.sub(qword_ptr(rcx, offsetof(RegionCode, cycles)), rdx);
      if (!is_low) load_immediate(rax, address);
    }
    a_.mov(rdi, kThread);
    a_.mov(rsi, kBase);
    a_.mov(rdx, kVm);
    a_.push(rcx);
    a_.push(rcx);
    a_.call(word_at(offsetof(RegionEntry, entry)));
    a_.pop(rcx);
    a_.pop(rcx);
    if (measures_loops_) {
      a_.mov(r8, rax);
      emit_clock_to_rdx();
      a_.add(qword_ptr(rcx, offsetof(RegionCode, cycles)), rdx);
      a_.mov(rax, r8);
    }
    a_.test(rax, rax);
    a_.js(special);
    const Label goes_on = a_.newLabel(), not_plain = a_.newLabel();
    emit_plain_exit(a_, not_plain);
    if (!is_low) load_immediate(rax, address);
    a_.jmp(goes_on);
    a_.bind(not_plain);
    a_.mov(rdi, kThread);
    a_.mov(rsi, kBase);
    a_.mov(rdx, rax);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(&complete_exit)));
    a_.mov(rdx, rax);
    if (!is_low) load_immediate(rax, address);
    a_.test(rdx, rdx);
    a_.js(special_in_rdx);
    a_.bind(goes_on);
    a_.mov(rcx, word_at(offsetof(RegionEntry, resume_offsets)));
    a_.mov(ecx, dword_ptr(rcx, rdx, 2));
    a_.add(rcx, word_at(offsetof(RegionEntry, code)));
    if (has_events_) a_.mov(kPath, qword_ptr(kBase, kPathOffset));
    a_.jmp(rcx);
    a_.bind(special);
    a_.mov(rdx, rax);
    a_.bind(special_in_rdx);
    a_.mov(rax, static_cast<int64_t>(kRaised));  // C++ looks at all of it
    a_.cmp(rdx, static_cast<int>(kRegionRaised));
    a_.je(raised);
    a_.mov(eax, static_cast<int>(kLeave));
    a_.bind(raised);
    a_.jmp(leave_);
  });
  if (!is_low) load_immediate(rax, address);
  if (measures_loops_) a_.add(word_at(offsetof(RegionEntry, rounds)), 1);
  a_.cmp(word_at(offsetof(RegionEntry, entry)), 0);
  a_.jne(enter);
  a_.bind(stays);
}

}  // namespace mangata::jit
