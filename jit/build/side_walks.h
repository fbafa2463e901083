// Walks beside the one that is under way: the templates of Lowering (lowering.h).
#pragma once

#include "jit/build/lowering.h"

namespace mangata::jit {

template <typename Steps>
void Lowering::beside(Steps steps) {
  const State state = state_;
  const Track track = track_;
  const int pc = pc_;
  Block exit_block = exit_block_;
  ended_ = false;
  steps();
  if (!ended_) pending_.push_back({b_.position(), state_, pc_, track_});
  state_ = state;
  track_ = track;
  pc_ = pc;
  ended_ = false;
  exit_block_ = exit_block;
}

/// Where the collector wants to make a step, the walk is another one, which leads where `steps` goes.
template <typename Steps>
void Lowering::where_collection_is_due(Steps steps) {
  const auto debt_bytes = static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kDebtBytes);
  IrValue debt = load(IrType::I64, at(vm_, debt_bytes), Memory::Machine);
  Block collects = make_block("collects");
  Block goes_on = make_block("no_debt");
  set_likely(b_.branch(b_.sgt(debt, word(0)), collects, goes_on), false);
  b_.set_position(collects);
  beside(steps);
  b_.set_position(goes_on);
}

template <typename Steps>
void Lowering::emit_slow_path(Steps steps) {
  beside([&] {
    steps();
    track_ = {};
    enter_version({}, pc_ + 1);
  });
}

}  // namespace mangata::jit
