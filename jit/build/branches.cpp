#include "jit/build/branches.h"

namespace mangata::jit {

void Branches::go_to(int target) {
  const bool goes_back = target <= walk_.pc;
  if (!walk_.state.is_inlined()) {
    if (!input_.in_region[static_cast<size_t>(target)]) return exit_at(target, ExitSite::Why::Loop);
    for (size_t i = 0; i < input_.loops.size() && has_contexts_; ++i) {
      if (input_.loops[i].head_pc != CodePc(target)) continue;
      return versions_.enter(contexts_.track_at_head(i), target);
    }
  }
  if (!walk_.state.is_inlined() && contexts_.is_by_facts(walk_.track) && !input_.loops[static_cast<size_t>(walk_.track.loop)].body[static_cast<size_t>(target)]) walk_.track = {};
  if (goes_back || (contexts_.merges(walk_.track) && walk_.function().is_leader[static_cast<size_t>(target)]))
    return versions_.enter(walk_.track, target);
  walk_.pc = target;
}

void Branches::exit_at(int pc, ExitSite::Why why) {
  if (pc == walk_.pc && why == ExitSite::Why::Other) tally_.note_left(walk_);
  exits_.emit(pc, why);
  finish();
}

void Branches::leave_here() {
  if (walk_.site().several_callees().empty()) return exit_at(walk_.pc);
  exits_.emit(walk_.pc, ExitSite::Why::Other);
  finish();
}

void Branches::branch(IrValue condition, int target, const BranchFinding& finding) {
  if (const auto known = b_.known_word(condition)) return branch_known(*known != 0, target), void();
  Block taken = b_.make_block("taken");
  Block not_taken = b_.make_block("not_taken");
  IrValue terminator = b_.branch(condition, taken, not_taken);
  if (!contexts_.is_seen(true) || !contexts_.is_seen(false)) {
    b_.set_likely(terminator, contexts_.is_seen(true));
  } else {
    set_weights(terminator);
  }
  arm(not_taken, false, walk_.pc + 1, finding);
  arm(taken, true, target, finding);
  finish();
}

void Branches::branch_known(bool taken, int target) {
  walk_.track = contexts_.track_of(taken);
  go_to(taken ? target : walk_.pc + 1);
}

void Branches::arm(Block block, bool taken, int target, const BranchFinding& finding) {
  b_.set_position(block);
  queue_.beside([&] {
    if (!contexts_.is_seen(taken)) {
      const bool ends = !walk_.state.is_inlined() && !input_.in_region[static_cast<size_t>(target)];
      return exit_at(target, ends ? ExitSite::Why::Loop : ExitSite::Why::Arm);
    }
    if (finding.slot != kNoFrameSlot && finding.where_taken == taken) registers_.fact(finding.slot).know_constant(finding.payload);
    walk_.track = contexts_.track_of(taken);
    go_to(target);
  });
}

void Branches::set_weights(IrValue branch) {
  if (!input_.knows_edges) return;
  uint32_t taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  if (!contexts_.weights(&taken, &not_taken)) taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  b_.set_weights(branch, taken + 1, not_taken + 1);
}

}  // namespace mangata::jit
