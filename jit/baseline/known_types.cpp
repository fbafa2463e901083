#include "jit/baseline/known_types.h"

#include <algorithm>

#include "vm/bytecode/opcode.h"
#include "vm/interpreter/path_event.h"

namespace mangata::jit {

KnownTypes::KnownTypes(const Proto& proto, const Instruction* code, int code_length, CodePc first_pc, CodePc end_pc)
    : proto_(proto), code_(code), code_length_(code_length), first_pc_(value_of(first_pc)), end_pc_(value_of(end_pc)) {
  find_captured_registers();
  find_blocks();
  analyse();
}

void KnownTypes::find_captured_registers() {
  for (const Proto* nested : proto_.nested) {
    for (const UpvalueDescription& upvalue : nested->upvalues) {
      if (upvalue.from_parent_register) captured_[upvalue.index] = true;
    }
  }
}

/// Where instruction `pc` may jump to, or -1.
int KnownTypes::jump_of(int pc) const {
  const Instruction& in = code_[pc];
  if (in.op == Opcode::PathEvent) {
    const int jump = proto_.path_counters->events[static_cast<size_t>(in.imm)].jump;
    return jump != 0 ? pc + 1 + jump : -1;
  }
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch ? pc + 1 + in.imm : -1;
}

bool KnownTypes::falls_through(int pc) const {
  if (code_[pc].op == Opcode::PathEvent) return jump_of(pc) < 0;
  const ControlFlow flow = opcode_info(code_[pc].op).flow;
  return flow == ControlFlow::Next || flow == ControlFlow::Branch;
}

void KnownTypes::find_blocks() {
  std::vector<bool> begins(static_cast<size_t>(end_pc_ - first_pc_) + 1);
  const auto begin = [&](int pc) {
    if (pc >= first_pc_ && pc <= end_pc_) begins[static_cast<size_t>(pc - first_pc_)] = true;
  };
  begin(first_pc_);
  entered_ = {first_pc_};
  for (int pc = 0; pc < code_length_; ++pc) {
    const int target = jump_of(pc);
    if (target >= 0) begin(target);
    if (target >= 0 || !falls_through(pc)) begin(pc + 1);
    if (target >= 0 && is_inside(target) && !is_inside(pc)) entered_.push_back(target);
  }
  block_of_.assign(begins.size(), -1);
  for (int pc = first_pc_; pc <= end_pc_; ++pc) {
    if (!begins[static_cast<size_t>(pc - first_pc_)]) continue;
    block_of_[static_cast<size_t>(pc - first_pc_)] = static_cast<int32_t>(starts_.size());
    starts_.push_back(pc);
  }
  if (starts_.back() != end_pc_) starts_.push_back(end_pc_);
  entry_states_.resize(starts_.size());
}

/// The blocks such that each comes before those that it leads to, but for loops: so that hardly one is seen again because of another that
/// lies behind it in the bytecode, as the events of edges do.
std::vector<int32_t> KnownTypes::blocks_in_order() const {
  std::vector<int32_t> order;
  std::vector<uint8_t> seen(starts_.size());  // how many ways out were taken; in the end 3
  std::vector<int32_t> stack;
  for (const int pc : entered_) stack.push_back(block_at(pc));
  while (!stack.empty()) {
    const int32_t block = stack.back();
    const int last_pc = starts_[static_cast<size_t>(block) + 1] - 1;
    uint8_t& taken = seen[static_cast<size_t>(block)];
    int next = -1;
    if (taken == 0) next = jump_of(last_pc);
    if (taken == 1 && falls_through(last_pc)) next = last_pc + 1;
    if (taken >= 2) {
      if (taken == 2) order.push_back(block);
      taken = 3;
      stack.pop_back();
      continue;
    }
    ++taken;
    if (next >= 0 && is_inside(next)) {
      const int32_t to = block_at(next);
      if (seen[static_cast<size_t>(to)] == 0) stack.push_back(to);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void KnownTypes::flow_into(const State& state, int pc) {
  const auto block = static_cast<size_t>(block_at(pc));
  State& entry = entry_states_[block];
  bool changed = false;
  for (size_t i = 0; i < proto_.max_stack_slots; ++i) {
    const Fact joined = entry[i] | state[i];
    changed |= joined != entry[i];
    entry[i] = joined;
  }
  if (changed) changed_[block] = true;
}

/// Passes over the blocks until nothing changes; loops take two or three. Only what has changed is looked at, and where that is too much
/// all the same, nothing is known.
void KnownTypes::analyse() {
  constexpr int64_t kMostVisits = 24;  // of an instruction, on average
  int64_t left = kMostVisits * (end_pc_ - first_pc_);
  State state;
  state.fill(fact(kAnything, 0));
  changed_.assign(starts_.size(), false);
  for (const int pc : entered_) flow_into(state, pc);
  const std::vector<int32_t> order = blocks_in_order();
  for (bool again = true; again;) {
    again = false;
    for (const int32_t block : order) {
      if (!changed_[static_cast<size_t>(block)]) continue;
      changed_[static_cast<size_t>(block)] = false;
      again = true;
      left -= starts_[static_cast<size_t>(block) + 1] - starts_[static_cast<size_t>(block)];
      if (left < 0) return know_nothing();
      flow_through(block);
    }
  }
}

/// From the start of a block to those that it leads to.
void KnownTypes::flow_through(int32_t block) {
  State state = entry_states_[static_cast<size_t>(block)];
  const int last_pc = starts_[static_cast<size_t>(block) + 1] - 1;
  for (int pc = starts_[static_cast<size_t>(block)]; pc < last_pc; ++pc) transfer(state, pc, false);
  if (const int target = jump_of(last_pc); target >= 0 && is_inside(target)) {
    State taken = state;
    transfer(taken, last_pc, true);
    flow_into(taken, target);
  }
  if (!falls_through(last_pc) || !is_inside(last_pc + 1)) return;
  transfer(state, last_pc, false);
  flow_into(state, last_pc + 1);
}

void KnownTypes::know_nothing() {
  for (State& state : entry_states_) state.fill(fact(kAnything, 0));
}

void KnownTypes::move_to(CodePc to) {
  const int pc = value_of(to);
  if (pc_ >= 0 && pc == pc_ + 1) transfer(current_, pc_, false);
  const int32_t block = block_at(pc);
  if (block >= 0) current_ = entry_states_[static_cast<size_t>(block)];
  pc_ = pc;
}

void KnownTypes::set(State& state, Register reg, Fact value) const {
  state[static_cast<size_t>(reg)] = captured_[static_cast<size_t>(reg)] ? fact(kAnything, value >> 2) : value;
}

void KnownTypes::forget_from(State& state, Register first) const {
  for (int reg = value_of(first); reg < proto_.max_stack_slots; ++reg)
    state[static_cast<size_t>(reg)] = fact(kAnything, 0);
}

KnownTypes::Fact KnownTypes::of_constant(const Value& value) {
  return value.is_integer() ? certain(kInteger) : value.is_float() ? certain(kFloat)
                                                                   : fact(kAnything, 0);
}

}  // namespace mangata::jit
