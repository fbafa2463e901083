#include "jit/region/register_effects.h"

#include "vm/object/frame.h"

namespace mangata::jit {
namespace {

void add(RegisterSet* set, int first, int count) {
  for (int i = first; i < first + count; ++i) set->set(static_cast<size_t>(i));
}

void add_operand(RegisterSet* set, int operand) {
  if ((operand & kConstantOperand) == 0) set->set(static_cast<size_t>(operand));
}

}  // namespace

RegisterEffects register_effects(const Instruction& in, int register_count) {
  RegisterEffects its;
  const auto from = [&](RegisterSet* set, int first) { add(set, first, register_count - first); };
  const auto counted = [&](RegisterSet* set, int first, int count_plus_one) {
    count_plus_one == 0 ? from(set, first) : add(set, first, count_plus_one - 1);
  };
  switch (in.op) {
    case Opcode::Call:
      its.reads.set(in.a);
      counted(&its.reads, in.b == 0 ? in.a : in.a + kCallOverheadSlots, in.b);
      from(&its.writes, in.a);
      return its;
    case Opcode::TailCall:
      its.reads.set(in.a);
      counted(&its.reads, in.b == 0 ? in.a : in.a + kCallOverheadSlots, in.b);
      return its;
    case Opcode::Return:
      counted(&its.reads, in.a, in.b);
      return its;
    case Opcode::Vararg:
      if (in.b == 0) counted(&its.writes, in.a, in.c);
      return its;
    case Opcode::SetList:
      its.reads.set(in.a);
      in.b == 0 ? from(&its.reads, in.a) : add(&its.reads, in.a + 1, in.b);
      return its;
    case Opcode::Concat:
      add(&its.reads, in.a, in.b);
      its.writes.set(in.a);
      return its;
    case Opcode::LoadNil:
      add(&its.writes, in.a, in.b);
      return its;
    case Opcode::PrepareVararg:
      from(&its.writes, 0);
      return its;
    case Opcode::Closure:
      from(&its.reads, 0);  // what it captures
      its.writes.set(in.a);
      return its;
    case Opcode::Close:
    case Opcode::ToBeClosed:
      from(&its.reads, 0);
      return its;
    case Opcode::Self:
      its.reads.set(in.b);
      its.writes.set(in.a);
      its.writes.set(static_cast<size_t>(in.a + kCallOverheadSlots));
      return its;
    case Opcode::SetGlobal:
      add_operand(&its.reads, in.c);
      return its;
    case Opcode::SetUpvalue:
      its.reads.set(in.a);
      return its;
    case Opcode::SetField:
    case Opcode::SetInteger:
      its.reads.set(in.a);
      add_operand(&its.reads, in.c);
      return its;
    case Opcode::SetIndex:
      its.reads.set(in.a);
      its.reads.set(in.b);
      add_operand(&its.reads, in.c);
      return its;
    case Opcode::ForPrepare:
      add(&its.reads, in.a, 3);
      add(&its.writes, in.a, 4);
      return its;
    case Opcode::ForLoop:
      add(&its.reads, in.a, 3);
      add(&its.writes, in.a, 2);
      its.writes.set(static_cast<size_t>(in.a + 3));
      return its;
    case Opcode::GenericForPrepare:
      add(&its.reads, in.a, 4);
      its.writes.set(static_cast<size_t>(in.a + 3));
      return its;
    case Opcode::GenericForCall:
      add(&its.reads, in.a, 4);
      its.writes.set(static_cast<size_t>(in.a + 3));
      from(&its.writes, in.a + 4);
      return its;
    case Opcode::GenericForLoop:
      its.reads.set(static_cast<size_t>(in.a + 4));
      its.writes.set(static_cast<size_t>(in.a + 2));
      return its;
    case Opcode::CopyJumpIfTrue:
    case Opcode::CopyJumpIfFalse:
      its.reads.set(in.b);
      its.reads.set(in.a);  // as before, where it does not jump
      its.writes.set(in.a);
      return its;
    default:
      break;
  }
  switch (opcode_info(in.op).format) {
    case OperandFormat::RaRbRc:
      its.reads.set(in.c);
      [[fallthrough]];
    case OperandFormat::RaRbKc:
    case OperandFormat::RaRb:
    case OperandFormat::RaRbKcIc:
    case OperandFormat::RaRbIc:
      its.reads.set(in.b);
      its.writes.set(in.a);
      return its;
    case OperandFormat::RaRbJump:
      its.reads.set(in.b);
      [[fallthrough]];
    case OperandFormat::RaKbJump:
    case OperandFormat::RaJump:
      its.reads.set(in.a);
      return its;
    case OperandFormat::Ra:
      in.op == Opcode::Return1 ? its.reads.set(in.a) : its.writes.set(in.a);
      return its;
    case OperandFormat::RaImm:
    case OperandFormat::RaKimm:
    case OperandFormat::RaUb:
    case OperandFormat::RaUbKcIc:
    case OperandFormat::RaBC:
      its.writes.set(in.a);
      return its;
    default:
      return its;
  }
}

}  // namespace mangata::jit
