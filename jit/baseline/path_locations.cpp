#include "jit/baseline/path_locations.h"

#include <utility>

namespace mangata::jit {

PathLocations::PathLocations(const Proto& proto, int code_length, std::function<bool(int)> may_be_inline)
    : proto_(proto), code_length_(code_length), may_be_inline_(std::move(may_be_inline)) {
  loads_.assign(static_cast<size_t>(code_length), 0);
  do {
    analyse();
  } while (add_loads());
}

int PathLocations::jump_from(int pc) const {
  const Instruction& in = proto_.code[pc];
  if (is_event(pc)) return event_at(pc).jump != 0 ? pc + 1 + event_at(pc).jump : -1;
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch ? pc + 1 + in.imm : -1;
}

int PathLocations::fallthrough_from(int pc) const {
  const ControlFlow flow = opcode_info(proto_.code[pc].op).flow;
  const bool falls_through =
      is_event(pc) ? event_at(pc).jump == 0 : flow == ControlFlow::Next || flow == ControlFlow::Branch;
  return falls_through && pc + 1 < code_length_ ? pc + 1 : -1;
}

PathLocation PathLocations::behind_event(int pc, PathLocation here) const {
  const PathEventRecord& event = event_at(pc);
  const auto changed = [&here](uint64_t value) {
    return here.is_known ? PathLocation{true, false, false, value} : PathLocation{false, true, false, 0};
  };
  const PathLocation started{true, false, false, static_cast<uint64_t>(event.start)};
  switch (event.kind) {
    case PathEventKind::Start:
    case PathEventKind::CountAndStart:
    case PathEventKind::CountPackedAndStart:
    case PathEventKind::CountPreferredAndStart:
      return started;
    case PathEventKind::HashCount:
      return event.index == PathEventRecord::kNoLoop ? PathLocation{false, true, false, 0} : started;
    case PathEventKind::Add:
    case PathEventKind::AddPacked:
    case PathEventKind::WindowAdd:
    case PathEventKind::EnterLoop:
      return changed(add_to_word(event, here.value));
    case PathEventKind::LeaveLoop:
      return here.is_known ? changed(leave_loop(*proto_.path_counters, here.value,
                                                proto_.path_counters->leaves[event.index]))
                           : changed(0);
    case PathEventKind::WindowBackedge:
    case PathEventKind::HashStep:
      return {false, true, false, 0};
    case PathEventKind::Count:
    case PathEventKind::CountPacked:
    case PathEventKind::CountPreferred:
    case PathEventKind::AllocationPath:
    case PathEventKind::AllocationExit:
      here.in_register = here.in_register || !here.is_known;  // it had to be loaded
      return here;
    case PathEventKind::CountEdge:
    case PathEventKind::AllocationEntry:
      return here;
    case PathEventKind::Trace:
      here.in_frame = here.is_anywhere();
      return here;
  }
  return here;
}

PathLocation PathLocations::behind(int pc) const {
  PathLocation here = is_event(pc) ? behind_event(pc) : before(pc);
  if (!here.is_anywhere()) return here;
  here.in_register |= loads_[static_cast<size_t>(pc)] != 0;
  if (proto_.code[pc].op == Opcode::Call && !may_be_inline_(pc)) here.in_frame = true;
  return here;
}

void PathLocations::analyse() {
  before_.assign(static_cast<size_t>(code_length_), {});
  reached_.assign(static_cast<size_t>(code_length_), 0);
  reached_[0] = 1;
  work_ = {0};
  while (!work_.empty()) {
    const int pc = work_.back();
    work_.pop_back();
    const PathLocation behind_it = behind(pc);
    for (const int next : {jump_from(pc), fallthrough_from(pc)}) {
      if (next >= 0) flow_into(behind_it, next);
    }
  }
}

/// What holds at `pc` is what held on all ways seen before and on this one.
void PathLocations::flow_into(const PathLocation& from, int pc) {
  PathLocation& here = before_[static_cast<size_t>(pc)];
  PathLocation met = from;
  if (reached_[static_cast<size_t>(pc)] != 0) {
    met = here;
    met.is_known = here.is_known && from.is_known && here.value == from.value;
    if (!met.is_known) met.value = 0;
    met.in_register = here.in_register && from.in_register;
    met.in_frame = here.in_frame && from.in_frame;
    if (!met.is_anywhere() && here.is_anywhere()) met.in_register = true;
    if (met == here) return;
  }
  reached_[static_cast<size_t>(pc)] = 1;
  here = met;
  work_.push_back(pc);
}

/// Ways on which the word has to be loaded because it is expected in the register behind them. False: there
/// are no more.
bool PathLocations::add_loads() {
  bool added = false;
  for (int pc = 0; pc < code_length_; ++pc) {
    if (reached_[static_cast<size_t>(pc)] == 0) continue;
    const PathLocation behind_it = behind(pc);
    for (const int next : {jump_from(pc), fallthrough_from(pc)}) {
      if (next < 0 || behind_it.in_register || !before(next).in_register) continue;
      loads_[static_cast<size_t>(pc)] = 1;
      added = true;
    }
  }
  return added;
}

}  // namespace mangata::jit
