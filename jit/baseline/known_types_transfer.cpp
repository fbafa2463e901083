// What instructions do to the types of registers.
#include "jit/baseline/known_types.h"
#include "vm/bytecode/opcode.h"

namespace mangata::jit {

namespace {

bool is_between(Opcode op, Opcode first, Opcode last) { return op >= first && op <= last; }

bool is_bitwise(Opcode op) {
  return is_between(op, Opcode::BitAnd, Opcode::ShiftRight) ||
         is_between(op, Opcode::BitAndConstant, Opcode::ShiftRightConstant);
}
bool is_always_float(Opcode op) {
  return op == Opcode::Div || op == Opcode::DivConstant || op == Opcode::Pow || op == Opcode::PowConstant;
}

}  // namespace

/// The right operand of a binary operator.
KnownTypes::Fact KnownTypes::operand(const State& state, const Instruction& in) const {
  return is_between(in.op, Opcode::AddConstant, Opcode::ShiftRightConstant)
             ? of_constant(proto_.constants[in.c])
             : state[in.c];
}

/// Operators on numbers never call metamethods, but for bitwise ones on floats that are no integers: numbers
/// may have a metatable, too.
KnownTypes::Fact KnownTypes::arithmetic(Opcode op, Fact left, Fact right) {
  const int known_left = left & 3, known_right = right & 3;
  const int likely_left = left >> 2, likely_right = right >> 2;
  const bool integers = known_left == kInteger && known_right == kInteger;
  if (is_bitwise(op)) return fact(integers ? kInteger : kAnything, kInteger);
  const bool numbers = known_left != kAnything && known_right != kAnything;
  if (is_always_float(op)) return fact(numbers ? kFloat : kAnything, kFloat);
  int likely = 0;
  if (likely_left == kFloat || likely_right == kFloat) {
    likely = kFloat;
  } else if (likely_left == kInteger && likely_right == kInteger) {
    likely = kInteger;
  }
  return fact(!numbers ? kAnything : integers ? kInteger : kFloat, likely);
}

void KnownTypes::transfer_loop(State& state, const Instruction& in, bool jumps) const {
  const int known_start = state[in.a] & 3;
  const int known_step = state[in.a + 2u] & 3;
  const bool integers = known_start == kInteger && known_step == kInteger;
  const bool floats = known_start == kFloat || known_step == kFloat;
  if (in.op == Opcode::ForPrepare) {
    // A float on either side makes all of them floats (manual §3.3.5), if the loop runs.
    if (integers) {
      set(state, in.a + 1, jumps ? fact(kAnything, 0) : certain(kInteger));
      return set(state, in.a + 3, certain(kInteger));
    }
    for (int i = 0; i < 4; ++i)
      set(state, in.a + i, floats && !jumps ? certain(kFloat) : fact(kAnything, kInteger));
    return;
  }
  if (!jumps) return;
  if (known_step == kInteger) return set(state, in.a + 3, certain(kInteger));
  const Fact index = known_step == kFloat ? certain(kFloat) : fact(kAnything, state[in.a] >> 2);
  set(state, in.a, index);
  set(state, in.a + 3, index);
}

void KnownTypes::transfer(State& state, int pc, bool jumps) const {
  const Instruction& in = code_[pc];
  switch (in.op) {
    case Opcode::Move:
      return set(state, in.a, state[in.b]);
    case Opcode::LoadInteger:
      return set(state, in.a, certain(kInteger));
    case Opcode::LoadFloat:
      return set(state, in.a, certain(kFloat));
    case Opcode::LoadConstant:
      return set(state, in.a, of_constant(proto_.constants[static_cast<size_t>(in.imm)]));
    case Opcode::LoadFalse:
    case Opcode::LoadTrue:
    case Opcode::GetUpvalue:
    case Opcode::GetGlobal:
    case Opcode::GetField:
    case Opcode::GetIndex:
    case Opcode::GetInteger:
    case Opcode::Not:
      return set(state, in.a, fact(kAnything, 0));
    case Opcode::Length:
      return set(state, in.a, fact(kAnything, kInteger));
    case Opcode::Negate:
      return set(state, in.a, state[in.b]);
    case Opcode::BitNot:
      return set(state, in.a, fact((state[in.b] & 3) == kInteger ? kInteger : kAnything, kInteger));
    case Opcode::CopyJumpIfTrue:
    case Opcode::CopyJumpIfFalse:
      if (jumps) set(state, in.a, state[in.b]);
      return;
    case Opcode::ForPrepare:
    case Opcode::ForLoop:
      return transfer_loop(state, in, jumps);
    case Opcode::SetUpvalue:
    case Opcode::SetGlobal:
    case Opcode::SetField:
    case Opcode::SetIndex:
    case Opcode::SetInteger:
    case Opcode::Return:
    case Opcode::Return0:
    case Opcode::Return1:
    case Opcode::PathEvent:
      return;
    case Opcode::LoadNil:
    case Opcode::Self:
    case Opcode::NewTable:
    case Opcode::SetList:
    case Opcode::Concat:
    case Opcode::Call:
    case Opcode::TailCall:
    case Opcode::Vararg:
    case Opcode::Closure:
    case Opcode::Close:
    case Opcode::ToBeClosed:
    case Opcode::GenericForPrepare:
    case Opcode::GenericForCall:
    case Opcode::GenericForLoop:
      // From R[a] on there may be a callee's frame, or slots that a collection clears.
      return forget_from(state, in.a);
    case Opcode::PrepareVararg:
      return forget_from(state, 0);
    default:
      break;
  }
  if (opcode_info(in.op).flow == ControlFlow::Next)
    set(state, in.a, arithmetic(in.op, state[in.b], operand(state, in)));
}

}  // namespace mangata::jit
