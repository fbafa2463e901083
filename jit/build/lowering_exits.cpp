// Side exits and runtime calls: where values go back to the frame.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

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
  queue_.beside([&] {
    calls_.do_instruction_by(calls_.function_of_instruction());
    walk_.track = {};
    versions_.enter({}, walk_.pc + 1);
  });
}

void Lowering::prefer_slow_path() {
  const Block resume = b_.position();
  walk_.exit_block = b_.make_block("slow_path");
  b_.set_position(walk_.exit_block);
  by_slow_path();
  b_.set_position(resume);
}

}  // namespace mangata::jit
