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
  const int first = walk_.state.top().first_pc();
  walk_.pc = first - 1;
  branches_.go_to(first);
}

void Inlining::start_again() {
  walk_.pc = walk_.state.top().first_pc();
  branches_.go_to(walk_.pc);
}

bool Inlining::has_room_for(const RegionFunction& callee, int arguments) {
  return !callee.proto->is_vararg || arguments <= kMostArguments;
}

InlineFrame Inlining::frame_of(const RegionFunction& callee, FrameSlot origin, FrameSlot from, int arguments) {
  const FrameSlot first = origin + kCallOverheadSlots;
  const int parameters = callee.parameter_count;
  const bool moves_up = callee.proto->is_vararg && arguments > parameters;
  const FrameSlot base = moves_up ? first + arguments + kCallOverheadSlots : first;
  const int copied = moves_up ? arguments : std::min(arguments, parameters);
  walk_.state.reach(base + std::max(parameters, arguments));
  for (int i = 0; i < copied && from < first; ++i) values_.copy(first + copied - 1 - i, from + copied - 1 - i);
  for (int i = 0; i < copied && from > first; ++i) values_.copy(first + i, from + i);
  if (!moves_up) return {.function = &callee, .base = base};
  values_.copy(base - kCallOverheadSlots, origin);
  for (int i = 0; i < parameters; ++i) values_.copy(base + i, first + i);
  return {.function = &callee, .base = base, .varargs = arguments - parameters};
}

void Inlining::resume_caller() {
  const int return_pc = walk_.state.top().return_pc;
  walk_.state.frames.pop_back();
  walk_.state.slots.resize(static_cast<size_t>(walk_.state.top().end()));
  walk_.pc = return_pc - 1;
}

}  // namespace mangata::jit
