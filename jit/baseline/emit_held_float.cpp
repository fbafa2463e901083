// Floats that one instruction computes and the next one takes.
//
// [DESIGN] A float that is stored to its register in the frame and loaded again costs a chain of operations more than the operations
// do. It is left in kFloat for the next instruction, besides. Whoever else comes there (frames that are resumed, slow paths) loads it
// first: the label of the instruction is out of line, and the code before goes on behind it.
#include "jit/baseline/compiler.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {

/// Whether the instruction loads R[reg] as a float where its fast path begins.
bool BaselineCompiler::takes_float(const Instruction& in, Register reg) const {
  const auto takes = [this, reg](Register operand) {
    return operand == reg &&
           (types_->kind(reg) == NumberKind::Float || types_->likely_kind(reg) == NumberKind::Float);
  };
  const OpcodeFamily family = family_of(in.op);
  if (family == OpcodeFamily::Arithmetic) return takes(in.rb()) || (!has_constant_operand(in.op) && takes(in.rc()));
  const bool is_second_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  return family == OpcodeFamily::OrderBranch && (takes(in.ra()) || (!is_second_constant && takes(in.rb())));
}

/// The instruction begins here. held_float_: what is in kFloat.
void BaselineCompiler::bind_instruction(const Instruction& in) {
  held_float_ = std::exchange(computed_float_, kNoRegister);
  if (held_float_ != kNoRegister && (types_->begins_block(CodePc(pc_)) || !takes_float(in, held_float_))) held_float_ = kNoRegister;
  if (held_float_ == kNoRegister) return labels_.bind_next();
  deferred_.push_back({masm_.offset(), static_cast<uint32_t>(pc_)});
  const Label held = masm_.new_label();
  queue_slow_path(labels_.defer_next(static_cast<size_t>(pc_)), [this, reg = held_float_, held] {
    labels_.bind_deferred(static_cast<size_t>(pc_));
    masm_.load_float(kFloat, payload_of(reg));
    masm_.jump(held);
  });
  masm_.bind(held);
}

/// To kFloat and kSecondFloat. One may be held, or both; afterwards none is.
void BaselineCompiler::load_two_doubles(const Operand& left, const Operand& right, const Label& slow) {
  const bool left_is_held = !left.is_constant() && left.reg == held_float_;
  const bool right_is_held = !right.is_constant() && right.reg == held_float_;
  held_float_ = kNoRegister;
  if (right_is_held) masm_.move_float(kSecondFloat, kFloat);
  load_double(kFloat, left, slow, left_is_held);
  load_double(kSecondFloat, right, slow, right_is_held);
}

}  // namespace mangata::jit
