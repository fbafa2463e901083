// Walks beside the one that is under way: the templates of Lowering (lowering.h).
#pragma once

#include "jit/build/lowering.h"

namespace mangata::jit {

template <typename Steps>
void Lowering::beside(Steps steps) {
  const State state = walk_.state;
  const Track track = walk_.track;
  const int pc = walk_.pc;
  Block exit_block = walk_.exit_block;
  walk_.ended = false;
  steps();
  if (!walk_.ended) pending_.push_back({b_.position(), walk_.state, walk_.pc, walk_.track});
  walk_.state = state;
  walk_.track = track;
  walk_.pc = pc;
  walk_.ended = false;
  walk_.exit_block = exit_block;
}

/// Where the collector wants to make a step, the walk is another one, which leads where `steps` goes.
template <typename Steps>
void Lowering::where_collection_is_due(Steps steps) {
  const auto debt_bytes = static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kDebtBytes);
  IrValue debt = b_.load(IrType::I64, b_.at(b_.vm(), debt_bytes), Memory::Machine);
  Block collects = b_.make_block("collects");
  Block goes_on = b_.make_block("no_debt");
  b_.set_likely(b_.branch(b_.sgt(debt, b_.word(0)), collects, goes_on), false);
  b_.set_position(collects);
  beside(steps);
  b_.set_position(goes_on);
}

template <typename Steps>
void Lowering::emit_slow_path(Steps steps) {
  beside([&] {
    steps();
    walk_.track = {};
    enter_version({}, walk_.pc + 1);
  });
}

}  // namespace mangata::jit
