#include "jit/quick/x64/encoder.h"

namespace mangata::jit::quick::x64 {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

const Operand& Encoder::result(const Instruction& in) const {
  uint32_t o = 0;
  while (!is_definition(operand(in, o).use)) ++o;
  return operand(in, o);
}

asmjit::Operand Encoder::general(Register reg, int width) {
  switch (width) {
    case 1: return x86::gpb_lo(reg);
    case 2: return x86::gpw(reg);
    case 4: return x86::gpd(reg);
    default: return x86::gpq(reg);
  }
}

asmjit::Operand Encoder::any(const Instruction& in, uint32_t number, int width) const {
  const Operand& encoded = operand(in, number);
  if (encoded.assigned != kNoRegister) {
    if (encoded.assigned >= 16) return xmm(encoded.assigned);
    return general(encoded.assigned, width);
  }
  const Value& value = code_.values[encoded.value];
  Mem mem = value.is_constant ? pool_.of(value.bits) : slot(encoded.value);
  mem.setSize(static_cast<uint32_t>(width));
  return mem;
}

x86::Mem Encoder::memory(const Instruction& in, int width) const {
  const auto size = static_cast<uint32_t>(width);
  if (in.memory_operands == 0) {
    Mem absolute = x86::ptr(static_cast<uint64_t>(in.displacement), size);
    absolute.setAddrType(Mem::AddrType::kAbs);
    return absolute;
  }
  const Gp base = word(operand(in, in.memory_at).assigned);
  if (in.memory_operands == 1) return x86::ptr(base, in.displacement, size);
  return x86::ptr(base, word(operand(in, in.memory_at + 1u).assigned), in.scale, in.displacement, size);
}

void Encoder::instruction(const Block& block, const Instruction& in) {
  switch (static_cast<Op>(in.opcode)) {
    case Op::Entry: return;
    case Op::Load:
    case Op::LoadSigned: return load(in);
    case Op::LoadFloat: a_.vmovsd(xmm(result(in).assigned), memory(in, 8)); return;
    case Op::Store: return store(in);
    case Op::StoreFloat: a_.vmovsd(memory(in, 8), xmm(in, 0)); return;
    case Op::Lea: a_.lea(word(result(in).assigned), memory(in, 8)); return;
    case Op::Branch: return branch(block, in);
    case Op::Set: return set(in);
    case Op::Select:
    case Op::SelectFloat: return select(in);
    case Op::StackArea:
      a_.lea(word(in, 0), x86::ptr(x86::rsp, static_cast<int32_t>(area_at_ + static_cast<uint32_t>(in.immediate))));
      return;
    case Op::StackPointer: a_.mov(word(in, 0), x86::rsp); return;
    case Op::StoreArgument: a_.mov(x86::qword_ptr(x86::rsp, static_cast<int32_t>(in.immediate)), word(in, 0)); return;
    case Op::StoreArgumentFloat: a_.vmovsd(x86::qword_ptr(x86::rsp, static_cast<int32_t>(in.immediate)), xmm(in, 0)); return;
    case Op::Call:
    case Op::CallFunction: return call(in);
    case Op::CallCompiled: a_.call(word(in, kCodeAmongArguments)); return;
    case Op::Jump: return edge(code_.edges[block.first_successor]);
    case Op::Switch: return switch_on(block, in);
    case Op::Return: return epilogue();
    case Op::Unreachable: a_.ud2(); return;
    default: break;
  }
  if (!floating(in)) integer(in);
}

void Encoder::integer(const Instruction& in) {
  switch (static_cast<Op>(in.opcode)) {
    case Op::Add: return add(in);
    case Op::AddTo: return over_first(Id::kIdAdd, in);
    case Op::Sub: return over_first(Id::kIdSub, in);
    case Op::And: return over_first(Id::kIdAnd, in);
    case Op::Or: return over_first(Id::kIdOr, in);
    case Op::Xor: return over_first(Id::kIdXor, in);
    case Op::Mul: return over_first(Id::kIdImul, in);
    case Op::MulBy:
      a_.emit(Id::kIdImul, general(result(in).assigned, in.width), general(operand(in, 0).assigned, in.width), asmjit::imm(in.immediate));
      return;
    case Op::Neg: a_.emit(Id::kIdNeg, general(result(in).assigned, in.width)); return;
    case Op::Not: a_.emit(Id::kIdNot, general(result(in).assigned, in.width)); return;
    case Op::BSwap: a_.emit(Id::kIdBswap, general(result(in).assigned, in.width)); return;
    case Op::ShlBy: return shift_by(Id::kIdShl, in);
    case Op::LShrBy: return shift_by(Id::kIdShr, in);
    case Op::AShrBy: return shift_by(Id::kIdSar, in);
    case Op::RotLBy: return shift_by(Id::kIdRol, in);
    case Op::RotRBy: return shift_by(Id::kIdRor, in);
    case Op::Shl: return shift(Id::kIdShlx, in);
    case Op::LShr: return shift(Id::kIdShrx, in);
    case Op::AShr: return shift(Id::kIdSarx, in);
    case Op::RotL: a_.emit(Id::kIdRol, general(result(in).assigned, in.width), x86::cl); return;
    case Op::RotR: a_.emit(Id::kIdRor, general(result(in).assigned, in.width), x86::cl); return;
    case Op::DivideSigned:
    case Op::DivideUnsigned: return divide(in);
    case Op::MulHigh: a_.emit(Id::kIdMulx, word(in, 2), word(in, 2), any(in, 1, 8)); return;  // of two results in one register the upper half stays
    case Op::ZeroExtend: return zero_extend(in);
    case Op::SignExtend: return sign_extend(in);
    default: a_.ud2(); return;
  }
}

void Encoder::add(const Instruction& in) {
  const Register to = result(in).assigned;
  const Register left = operand(in, 0).assigned;
  if (static_cast<Form>(in.form) == Form::Immediate) {
    if (to == left) {
      a_.emit(Id::kIdAdd, general(to, in.width), asmjit::imm(in.immediate));
    } else {
      a_.emit(Id::kIdLea, general(to, in.width), x86::ptr(word(left), static_cast<int32_t>(in.immediate)));
    }
    return;
  }
  const Register right = operand(in, 1).assigned;
  if (to == left) {
    a_.emit(Id::kIdAdd, general(to, in.width), general(right, in.width));
  } else if (to == right) {
    a_.emit(Id::kIdAdd, general(to, in.width), general(left, in.width));
  } else {
    a_.emit(Id::kIdLea, general(to, in.width), x86::ptr(word(left), word(right)));
  }
}

void Encoder::over_first(uint32_t id, const Instruction& in) {
  const AnyOperand to = general(result(in).assigned, in.width);
  switch (static_cast<Form>(in.form)) {
    case Form::Immediate: a_.emit(id, to, asmjit::imm(in.immediate)); return;
    case Form::Memory: a_.emit(id, to, memory(in, in.width)); return;
    default: a_.emit(id, to, any(in, 1, in.width)); return;
  }
}

void Encoder::shift_by(uint32_t id, const Instruction& in) {
  if (in.immediate != 0) a_.emit(id, general(result(in).assigned, in.width), asmjit::imm(in.immediate));
}

void Encoder::shift(uint32_t id, const Instruction& in) {
  a_.emit(id, general(result(in).assigned, in.width), any(in, 0, in.width), general(operand(in, 1).assigned, in.width));
}

void Encoder::divide(const Instruction& in) {
  const bool is_signed = static_cast<Op>(in.opcode) == Op::DivideSigned;
  if (!is_signed) {
    a_.xor_(x86::edx, x86::edx);
  } else if (in.width == 8) {
    a_.cqo();
  } else {
    a_.cdq();
  }
  a_.emit(is_signed ? Id::kIdIdiv : Id::kIdDiv, any(in, 1, in.width));
}

void Encoder::zero_extend(const Instruction& in) {
  const Register to = result(in).assigned;
  const Register from = operand(in, 0).assigned;
  if (in.width == 4) {
    a_.mov(half(to), half(from));
  } else {
    a_.emit(Id::kIdMovzx, half(to), general(from, in.width));
  }
}

void Encoder::sign_extend(const Instruction& in) {
  const Register to = result(in).assigned;
  const Register from = operand(in, 0).assigned;
  if (in.width == 8) return move_register(from, to);
  a_.emit(in.width == 4 ? Id::kIdMovsxd : Id::kIdMovsx, word(to), general(from, in.width));
}

void Encoder::load(const Instruction& in) {
  const Register to = result(in).assigned;
  const Mem from = memory(in, in.width);
  if (static_cast<Op>(in.opcode) == Op::LoadSigned) {
    a_.emit(in.width == 4 ? Id::kIdMovsxd : Id::kIdMovsx, word(to), from);
  } else if (in.width == 8) {
    a_.mov(word(to), from);
  } else if (in.width == 4) {
    a_.mov(half(to), from);
  } else {
    a_.emit(Id::kIdMovzx, half(to), from);
  }
}

void Encoder::store(const Instruction& in) {
  const Mem to = memory(in, in.width);
  if (static_cast<Form>(in.form) == Form::MemoryImmediate) {
    a_.emit(Id::kIdMov, to, asmjit::imm(in.immediate));
  } else {
    a_.emit(Id::kIdMov, to, general(operand(in, 0).assigned, in.width));
  }
}

void Encoder::call(const Instruction& in) {
  if (static_cast<Op>(in.opcode) == Op::CallFunction) {
    a_.call(functions_[static_cast<size_t>(in.immediate)]);
  } else if (in.operand_count != 0 && operand(in, 0).use == Use::Register) {
    a_.call(word(in, 0));
  } else {
    a_.call(asmjit::imm(in.immediate));
  }
}

}  // namespace mangata::jit::quick::x64
