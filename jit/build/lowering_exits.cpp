// Side exits and runtime calls: where values go back to the frame.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {

/// How often the running branch has jumped.
void Lowering::set_weights(IrValue branch) {
  if (!input_.knows_edges) return;
  uint32_t taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  if (!weights_of_context(&taken, &not_taken)) taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  b_.set_weights(branch, taken + 1, not_taken + 1);
}

void Lowering::guard(IrValue condition) {
  if (const auto known = b_.known_word(condition); known && *known != 0) return;
  exit_unless(failures_.now_and_then(condition, input_.fail_every));
}

void Lowering::exit_unless(IrValue condition) {
  Block goes_on = b_.make_block("ok");
  b_.set_likely(b_.branch(condition, goes_on, exit_block()), true);
  b_.set_position(goes_on);
}

/// All checks of an instruction leave by one block: no register is written before the last of them.
ir::BlockId Lowering::exit_block() {
  if (!walk_.exit_block) {
    if (walk_.site().is_unstable && calls_.can_do()) {
      prefer_slow_path();
      return walk_.exit_block;
    }
    const Block resume = b_.position();
    walk_.exit_block = b_.make_block("exit");
    b_.set_position(walk_.exit_block);
    exits_.emit(walk_.pc, ExitSite::Why::Guard);
    b_.set_position(resume);
  }
  return walk_.exit_block;
}

void Lowering::by_slow_path() {
  emit_slow_path([&] { calls_.do_instruction_by(calls_.function_of_instruction()); });
}

void Lowering::prefer_slow_path() {
  const Block resume = b_.position();
  walk_.exit_block = b_.make_block("slow_path");
  b_.set_position(walk_.exit_block);
  by_slow_path();
  b_.set_position(resume);
}

void Lowering::exit_at(int pc, ExitSite::Why why) {
  if (pc == walk_.pc && why == ExitSite::Why::Other) tally_.note_left(walk_);
  exits_.emit(pc, why);
  finish_walk();
}

/// A call that has no place here. Of a site with several callees it is not known how often it is this one.
void Lowering::leave_here() {
  if (walk_.site().several_callees().empty()) return exit_at(walk_.pc);
  exits_.emit(walk_.pc, ExitSite::Why::Other);
  finish_walk();
}

}  // namespace mangata::jit
