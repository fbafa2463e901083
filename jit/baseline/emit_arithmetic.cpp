// Arithmetic (manual §3.4.1) and bitwise operators (§3.4.2).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// Integers inline, then floats; mixed numbers, strings and metamethods out of line.
void BaselineCompiler::emit_arithmetic(const Instruction& in, Arithmetic op, bool constant) {
  const Label slow = generic_slow_path();
  const Value k = constant ? proto_->constants[in.c] : Value::nil();
  const auto integers = [&] {
    a_.mov(rax, payload_of(in.b));
    if (constant) {
      const auto narrow = static_cast<int32_t>(k.payload);
      const bool fits = narrow == k.as_integer();
      if (!fits) a_.mov(rcx, k.payload);
      switch (op) {
        case Arithmetic::Add: fits ? a_.add(rax, narrow) : a_.add(rax, rcx); break;
        case Arithmetic::Sub: fits ? a_.sub(rax, narrow) : a_.sub(rax, rcx); break;
        case Arithmetic::Mul: fits ? a_.imul(rax, rax, narrow) : a_.imul(rax, rcx); break;
      }
    } else {
      switch (op) {
        case Arithmetic::Add: a_.add(rax, payload_of(in.c)); break;
        case Arithmetic::Sub: a_.sub(rax, payload_of(in.c)); break;
        case Arithmetic::Mul: a_.imul(rax, payload_of(in.c)); break;
      }
    }
    a_.mov(payload_of(in.a), rax);
    store_tag(in.a, Tag::Integer);
  };
  const auto floats = [&] {
    a_.movsd(xmm0, payload_of(in.b));
    if (constant) {
      a_.mov(rax, Value::number(k.as_number()).payload);
      a_.movq(xmm1, rax);
    } else {
      a_.movsd(xmm1, payload_of(in.c));
    }
    switch (op) {
      case Arithmetic::Add: a_.addsd(xmm0, xmm1); break;
      case Arithmetic::Sub: a_.subsd(xmm0, xmm1); break;
      case Arithmetic::Mul: a_.mulsd(xmm0, xmm1); break;
    }
    a_.movsd(payload_of(in.a), xmm0);
    store_tag(in.a, Tag::Float);
  };
  if (constant && in.d != 0 && op == Arithmetic::Sub) return emit_generic();  // K - R
  if (constant && k.is_float()) {
    branch_unless_tag(in.b, Tag::Float, slow);
    return floats();
  }
  const Label not_integers = a_.newLabel(), done = a_.newLabel();
  branch_unless_tag(in.b, Tag::Integer, not_integers);
  if (!constant) branch_unless_tag(in.c, Tag::Integer, slow);
  integers();
  a_.jmp(done);
  a_.bind(not_integers);
  branch_unless_tag(in.b, Tag::Float, slow);
  if (!constant) branch_unless_tag(in.c, Tag::Float, slow);
  floats();
  a_.bind(done);
}

void BaselineCompiler::emit_Add(const Instruction& in) { emit_arithmetic(in, Arithmetic::Add, false); }
void BaselineCompiler::emit_Sub(const Instruction& in) { emit_arithmetic(in, Arithmetic::Sub, false); }
void BaselineCompiler::emit_Mul(const Instruction& in) { emit_arithmetic(in, Arithmetic::Mul, false); }
void BaselineCompiler::emit_AddConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Add, true); }
void BaselineCompiler::emit_SubConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Sub, true); }
void BaselineCompiler::emit_MulConstant(const Instruction& in) { emit_arithmetic(in, Arithmetic::Mul, true); }

void BaselineCompiler::emit_Div(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Mod(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Pow(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_FloorDiv(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitAnd(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitOr(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitXor(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_ShiftLeft(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_ShiftRight(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_DivConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_ModConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_PowConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_FloorDivConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitAndConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitOrConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitXorConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_ShiftLeftConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_ShiftRightConstant(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Negate(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_BitNot(const Instruction&) { emit_generic(); }

}  // namespace mangata::jit
