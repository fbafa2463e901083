#include "jit/build/guards.h"

#include "jit/build/object_access.h"

namespace mangata::jit {

void Guards::guard(IrValue condition) {
  if (const auto known = b_.known_word(condition); known && *known != 0) return;
  exit_unless(failures_.now_and_then(condition, input_.fail_every));
}

void Guards::exit_unless(IrValue condition) {
  Block goes_on = b_.make_block("ok");
  b_.set_likely(b_.branch(condition, goes_on, exit_block()), true);
  b_.set_position(goes_on);
}

Block Guards::exit_block() {
  if (!walk_.exit_block) {
    if (walk_.site().is_unstable && calls_.can_do()) {
      prefer_slow_path();
      return walk_.exit_block;
    }
    walk_.exit_block = b_.make_block("exit");
    b_.write_in(walk_.exit_block, [&] { exits_.emit(walk_.pc, ExitSite::Why::Guard); });
  }
  return walk_.exit_block;
}

void Guards::by_slow_path() {
  queue_.beside([&] {
    calls_.do_instruction_by(calls_.function_of_instruction());
    walk_.track = {};
    versions_.enter({}, walk_.pc + 1);
  });
}

void Guards::prefer_slow_path() {
  walk_.exit_block = b_.make_block("slow_path");
  b_.write_in(walk_.exit_block, [&] { by_slow_path(); });
}

void Guards::guard_not_nil(const Operand& operand) {
  if (operand.kind == Kind::Any) guard(b_.ne(operand.tag, b_.word(static_cast<uint64_t>(Tag::Nil))));
}

void Guards::guard_present(IrValue tag, IrValue table, AbsentMetamethod otherwise) {
  Block is_nil = b_.make_block("is_nil");
  Block found = b_.make_block("found");
  b_.set_likely(b_.branch(b_.eq(tag, b_.word(0)), is_nil, found), false);
  b_.set_position(is_nil);
  b_.set_likely(b_.branch(lacks(b_, table, otherwise), found, exit_block()), true);
  b_.set_position(found);
}

}  // namespace mangata::jit
