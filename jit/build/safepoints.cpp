#include "jit/build/safepoints.h"

namespace mangata::jit {

/// Where the collector wants to make a step, the walk is another one, which leads where `steps` goes.
template <typename Steps>
void Safepoints::where_collection_is_due(Steps steps) {
  const auto debt_bytes = static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kDebtBytes);
  IrValue debt = b_.load(IrType::I64, b_.at(b_.vm(), debt_bytes), Memory::Machine);
  Block collects = b_.make_block("collects");
  Block goes_on = b_.make_block("no_debt");
  b_.set_likely(b_.branch(b_.sgt(debt, b_.word(0)), collects, goes_on), false);
  b_.set_position(collects);
  queue_.beside(steps);
  b_.set_position(goes_on);
}

/// It is too rare for code of its own, and finalizers may have changed any table.
void Safepoints::leave(int pc) {
  exits_.emit(pc, ExitSite::Why::Collector);
  walk_.ended = true;
}

void Safepoints::collect_behind() {
  where_collection_is_due([&] {
    IrValue outcome = calls_.call_behind(runtime_.safepoint_below);
    registers_.forget_tables();
    calls_.check_outcome(outcome);
    leave(walk_.pc + 1);
  });
}

/// After tables have been made, none of which the program knows yet; nothing of the instruction at `pc` has happened.
void Safepoints::collect_before(int pc) {
  if (pc == 0 || walk_.state.open_end != kNoFrameSlot) return;  // there will be others
  where_collection_is_due([&] {
    walk_.pc = pc - 1;
    IrValue outcome = calls_.call_behind(runtime_.collect);
    registers_.forget_tables();
    calls_.check_outcome(outcome);
    leave(pc);
  });
}

void Safepoints::materialize_at(FrameSlot slot) {
  tables_.materialize(registers_.fact(slot).replaced_table);
  collect_before(walk_.pc);
}

void Safepoints::materialize_for(int pc, bool but_of_numbers) {
  if (tables_.materialize_all(but_of_numbers)) collect_before(pc);
}

}  // namespace mangata::jit
