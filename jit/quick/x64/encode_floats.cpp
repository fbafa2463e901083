#include "jit/quick/x64/encoder.h"

namespace mangata::jit::quick::x64 {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

bool Encoder::floating(const Instruction& in) {
  constexpr uint64_t kSignBit = uint64_t{1} << 63;
  switch (static_cast<Op>(in.opcode)) {
    case Op::FAdd: float_binary(Id::kIdVaddsd, in); return true;
    case Op::FSub: float_binary(Id::kIdVsubsd, in); return true;
    case Op::FMul: float_binary(Id::kIdVmulsd, in); return true;
    case Op::FDiv: float_binary(Id::kIdVdivsd, in); return true;
    case Op::FSqrt: a_.vsqrtsd(xmm(in, 1), xmm(in, 0), xmm(in, 0)); return true;
    case Op::Round: a_.vroundsd(xmm(in, 1), xmm(in, 0), xmm(in, 0), in.immediate); return true;
    case Op::FNeg: a_.vxorpd(xmm(in, 1), xmm(in, 0), pool_.pair_of(kSignBit)); return true;
    case Op::FAbs: a_.vandpd(xmm(in, 1), xmm(in, 0), pool_.pair_of(~kSignBit)); return true;
    case Op::Fma: a_.emit(Id::kIdVfmadd213sd, xmm(result(in).assigned), xmm(in, 1), any(in, 2, 8)); return true;
    case Op::IntegerToFloat: {
      const Xmm to = xmm(in, 1);
      a_.vxorpd(to, to, to);  // its upper half comes from there: no waiting for what was in it
      a_.emit(Id::kIdVcvtsi2sd, to, to, any(in, 0, in.width));
      return true;
    }
    case Op::FloatToInteger: a_.vcvttsd2si(word(in, 1), xmm(in, 0)); return true;
    case Op::FloatToIntegerSaturating: saturate(in); return true;
    case Op::BitsOfFloat: a_.vmovq(word(in, 1), xmm(in, 0)); return true;
    case Op::FloatOfBits: a_.vmovq(xmm(in, 1), word(in, 0)); return true;
    default: return false;
  }
}

void Encoder::float_binary(uint32_t id, const Instruction& in) {
  const Xmm to = xmm(result(in).assigned);
  if (static_cast<Form>(in.form) == Form::Memory) {
    a_.emit(id, to, xmm(in, 0), memory(in, 8));
  } else {
    a_.emit(id, to, xmm(in, 0), any(in, 1, 8));
  }
}

/// The conversion gives the smallest integer for what it cannot represent.
void Encoder::saturate(const Instruction& in) {
  const Gp to = word(in, 1);
  const Xmm from = xmm(in, 0);
  const Xmm zero = xmm(kMachine.float_scratch);
  const asmjit::Label done = a_.newLabel();
  const asmjit::Label is_number = a_.newLabel();
  a_.vcvttsd2si(to, from);
  a_.cmp(to, 1);
  a_.j(x86::CondCode::kNO, done);
  a_.vxorpd(zero, zero, zero);
  a_.vucomisd(from, zero);
  a_.j(x86::CondCode::kNP, is_number);
  a_.xor_(half(operand(in, 1).assigned), half(operand(in, 1).assigned));
  a_.jmp(done);
  a_.bind(is_number);
  a_.j(x86::CondCode::kBE, done);
  a_.mov(to, INT64_MAX);
  a_.bind(done);
}

}  // namespace mangata::jit::quick::x64
