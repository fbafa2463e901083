#include "jit/baseline/known_types.h"

#include "vm/bytecode/opcode.h"
#include "vm/interpreter/path_event.h"

namespace mangata::jit {

KnownTypes::KnownTypes(const Proto& proto, const Instruction* code, int code_length)
    : proto_(proto), code_(code), code_length_(code_length) {
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

void KnownTypes::find_blocks() {
  block_of_.assign(static_cast<size_t>(code_length_) + 1, -1);
  int32_t count = 0;
  const auto begin = [&](int pc) {
    if (block_of_[static_cast<size_t>(pc)] < 0) block_of_[static_cast<size_t>(pc)] = count++;
  };
  begin(0);
  for (int pc = 0; pc < code_length_; ++pc) {
    const int target = jump_of(pc);
    if (target < 0) continue;
    begin(target);
    begin(pc + 1);
  }
  entry_states_.resize(static_cast<size_t>(count));
}

bool KnownTypes::flow_into(const State& state, int pc) {
  State& entry = entry_states_[static_cast<size_t>(block_of_[static_cast<size_t>(pc)])];
  bool changed = false;
  for (size_t i = 0; i < proto_.max_stack_slots; ++i) {
    const Fact joined = entry[i] | state[i];
    changed |= joined != entry[i];
    entry[i] = joined;
  }
  return changed;
}

/// Passes over the code until nothing changes; loops take two or three.
void KnownTypes::analyse() {
  State state;
  state.fill(fact(kAnything, 0));
  flow_into(state, 0);
  for (bool changed = true; changed;) {
    changed = false;
    bool reached = true;
    for (int pc = 0; pc < code_length_; ++pc) {
      const int32_t block = block_of_[static_cast<size_t>(pc)];
      if (block >= 0) {
        if (pc > 0 && reached) flow_into(state, pc);
        state = entry_states_[static_cast<size_t>(block)];
        reached = state[0] != 0;  // a function has registers, and each has some fact on every path
      }
      if (!reached) continue;
      const Opcode op = code_[pc].op;
      const int target = jump_of(pc);
      if (target >= 0) {
        State taken = state;
        transfer(taken, pc, true);
        // Blocks before this one are seen again only in another pass.
        changed |= flow_into(taken, target) && target <= pc;
      }
      transfer(state, pc, false);
      const bool falls_through = op == Opcode::PathEvent ? target < 0
                                                         : opcode_info(op).flow == ControlFlow::Next ||
                                                               opcode_info(op).flow == ControlFlow::Branch;
      if (!falls_through) reached = false;
    }
  }
}

void KnownTypes::move_to(int pc) {
  if (pc_ >= 0 && pc == pc_ + 1) transfer(current_, pc_, false);
  const int32_t block = block_of_[static_cast<size_t>(pc)];
  if (block >= 0) current_ = entry_states_[static_cast<size_t>(block)];
  pc_ = pc;
}

void KnownTypes::set(State& state, int reg, Fact value) const {
  state[static_cast<size_t>(reg)] = captured_[static_cast<size_t>(reg)] ? fact(kAnything, value >> 2) : value;
}

void KnownTypes::forget_from(State& state, int first) const {
  for (int reg = first; reg < proto_.max_stack_slots; ++reg)
    state[static_cast<size_t>(reg)] = fact(kAnything, 0);
}

KnownTypes::Fact KnownTypes::of_constant(const Value& value) {
  return value.is_integer() ? certain(kInteger) : value.is_float() ? certain(kFloat) : fact(kAnything, 0);
}

}  // namespace mangata::jit
