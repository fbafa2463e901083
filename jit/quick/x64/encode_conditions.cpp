#include "jit/quick/x64/encoder.h"

namespace mangata::jit::quick::x64 {

namespace x86 = asmjit::x86;

namespace {

x86::CondCode code_of(uint8_t condition) { return static_cast<x86::CondCode>(condition); }

}  // namespace

void Encoder::compare(const Instruction& in, uint32_t at) {
  const auto kind = static_cast<Compare>(in.compare);
  if (kind == Compare::Floats) {
    a_.emit(x86::Inst::kIdVucomisd, xmm(in, at), any(in, at + 1, 8));
    return;
  }
  const uint32_t id = kind == Compare::Bits ? x86::Inst::kIdTest : x86::Inst::kIdCmp;
  const int width = in.width;
  switch (static_cast<Form>(in.form)) {
    case Form::Immediate:
      a_.emit(id, general(operand(in, at).assigned, width), asmjit::imm(in.immediate));
      return;
    case Form::MemoryImmediate:
      a_.emit(id, memory(in, width), asmjit::imm(in.immediate));
      return;
    case Form::MemoryRegister:
      a_.emit(id, memory(in, width), general(operand(in, at).assigned, width));
      return;
    case Form::Memory:
      a_.emit(id, general(operand(in, at).assigned, width), memory(in, width));
      return;
    case Form::Any:
      break;
  }
  const bool is_alone = at + 1 == in.operand_count || !is_use(operand(in, at + 1).use);  // compared with itself
  if (is_alone) {
    a_.emit(id, general(operand(in, at).assigned, width), general(operand(in, at).assigned, width));
  } else {
    a_.emit(id, general(operand(in, at).assigned, width), any(in, at + 1, width));
  }
}

void Encoder::jump_on(uint8_t condition, const asmjit::Label& target) {
  if (condition == kFloatNotEqual) {
    a_.j(x86::CondCode::kNE, target);
    a_.j(x86::CondCode::kP, target);
  } else if (condition == kFloatEqual) {
    const asmjit::Label unordered = a_.newLabel();
    a_.j(x86::CondCode::kP, unordered);
    a_.j(x86::CondCode::kE, target);
    a_.bind(unordered);
  } else {
    a_.j(code_of(condition), target);
  }
}

void Encoder::set(const Instruction& in) {
  const Register to = result(in).assigned;
  if (in.condition == kFloatEqual || in.condition == kFloatNotEqual) {
    const Xmm scratch = xmm(kMachine.float_scratch);
    constexpr int kEqualOrdered = 0;
    constexpr int kNotEqualUnordered = 4;
    a_.emit(x86::Inst::kIdVcmpsd, scratch, xmm(in, 0), any(in, 1, 8), asmjit::imm(in.condition == kFloatEqual ? kEqualOrdered : kNotEqualUnordered));
    a_.vmovq(word(to), scratch);
    a_.and_(half(to), 1);
    return;
  }
  compare(in, 0);
  a_.set(code_of(in.condition), x86::gpb_lo(to));
  a_.movzx(half(to), x86::gpb_lo(to));
}

/// The result is in the first operand's register; the second goes over it where the condition holds.
void Encoder::select(const Instruction& in) {
  const bool is_float = static_cast<Op>(in.opcode) == Op::SelectFloat;
  const Register to = result(in).assigned;
  compare(in, 2);
  if (!is_float) {
    const AnyOperand chosen = any(in, 1, 8);
    if (in.condition == kFloatNotEqual) {
      a_.emit(x86::Inst::cmovccFromCond(x86::CondCode::kNE), word(to), chosen);
      a_.emit(x86::Inst::cmovccFromCond(x86::CondCode::kP), word(to), chosen);
    } else {
      a_.emit(x86::Inst::cmovccFromCond(code_of(in.condition)), word(to), chosen);
    }
    return;
  }
  const asmjit::Label keep = a_.newLabel();
  jump_on(opposite(in.condition), keep);
  if (operand(in, 1).assigned != kNoRegister) {
    a_.vmovapd(xmm(to), xmm(in, 1));
  } else {
    a_.emit(x86::Inst::kIdVmovsd, xmm(to), any(in, 1, 8));
  }
  a_.bind(keep);
}

}  // namespace mangata::jit::quick::x64
