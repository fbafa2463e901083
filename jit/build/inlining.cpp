#include "jit/build/inlining.h"

#include <algorithm>

#include "jit/region/region_benefit.h"

namespace mangata::jit {
namespace {

/// Of one function, with the region's own: a recursive function is unrolled so often.
constexpr int kMostActivations = 2;
constexpr size_t kMostRecursiveSize = 60;

}  // namespace

bool Inlining::may_enter(const RegionFunction& callee, bool must) const {
  if (walk_.state.frames.size() >= (must ? kMostExitFrames : kInliningLevels[level_].frames) || is_kept()) return false;
  const auto activations = std::count_if(walk_.state.frames.begin(), walk_.state.frames.end(),
                                         [&](const InlineFrame& frame) { return frame.function == &callee; });
  return activations == 0 || (activations < kMostActivations && callee.code.size() <= kMostRecursiveSize);
}

bool Inlining::is_kept() const { return kept_.contains({walk_.function().index, CodePc(walk_.pc)}); }

void Inlining::enter(const InlineFrame& frame, int arguments) {
  events_.take();
  const RegionFunction& callee = *frame.function;
  walk_.state.slots.resize(static_cast<size_t>(frame.end()));
  registers_.need_stack_to(frame.end());
  walk_.state.open_end = kNoFrameSlot;
  walk_.state.frames.push_back(frame);
  if (callee.counters != nullptr) b_.set(registers_.path_cell(frame.base), b_.word(0));
  for (int reg = arguments; reg < callee.parameter_count; ++reg) values_.write(Register{reg}, {.kind = Kind::Nil});
  for (int reg = callee.parameter_count; reg < callee.register_count; ++reg) registers_.fact(walk_.slot_of(Register{reg})) = {};
}

void Inlining::start() {
  walk_.pc = -1;
  branches_.go_to(0);
}

void Inlining::resume_caller() {
  const int return_pc = walk_.state.top().return_pc;
  walk_.state.frames.pop_back();
  walk_.state.slots.resize(static_cast<size_t>(walk_.state.top().end()));
  walk_.pc = return_pc - 1;
}

}  // namespace mangata::jit
