// What instructions do to the types of registers.
#include "jit/baseline/known_types.h"
#include "vm/bytecode/loaded_value.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {

namespace {

bool is_always_float(Opcode op) {
  return op == Opcode::Div || op == Opcode::DivConstant || op == Opcode::Pow || op == Opcode::PowConstant;
}

}  // namespace

/// The right operand of a binary operator.
KnownTypes::Fact KnownTypes::operand(const State& state, const Instruction& in) const {
  return has_constant_operand(in.op) ? of_constant(proto_.constants[in.c]) : state[in.c];
}

/// Operators on numbers never call metamethods, but for bitwise ones on floats that are no integers: numbers
/// may have a metatable, too.
KnownTypes::Fact KnownTypes::arithmetic(Opcode op, Fact left, Fact right) {
  const int known_left = left & 3, known_right = right & 3;
  const int likely_left = left >> 2, likely_right = right >> 2;
  const bool integers = known_left == kInteger && known_right == kInteger;
  if (family_of(op) == OpcodeFamily::Bitwise) return fact(integers ? kInteger : kAnything, kInteger);
  const bool numbers = known_left != kAnything && known_right != kAnything;
  if (is_always_float(op)) return fact(numbers ? kFloat : kAnything, kFloat);
  int likely = 0;
  if (likely_left == kFloat || likely_right == kFloat) {
    likely = kFloat;
  } else if (likely_left == kInteger && likely_right == kInteger) {
    likely = kInteger;
  }
  return fact(!numbers ? kAnything : integers ? kInteger
                                              : kFloat,
              likely);
}

void KnownTypes::transfer_loop(State& state, const Instruction& in, bool jumps) const {
  const int known_start = state[in.a] & 3;
  const int known_step = state[in.a + 2u] & 3;
  const bool integers = known_start == kInteger && known_step == kInteger;
  const bool floats = known_start == kFloat || known_step == kFloat;
  if (in.op == Opcode::ForPrepare) {
    // A float on either side makes all of them floats (manual §3.3.5), if the loop runs.
    if (integers) {
      set(state, in.ra() + 1, jumps ? fact(kAnything, 0) : certain(kInteger));
      return set(state, in.ra() + 3, certain(kInteger));
    }
    for (int i = 0; i < 4; ++i)
      set(state, in.ra() + i, floats && !jumps ? certain(kFloat) : fact(kAnything, kInteger));
    return;
  }
  if (!jumps) return;
  if (known_step == kInteger) return set(state, in.ra() + 3, certain(kInteger));
  const Fact index = known_step == kFloat ? certain(kFloat) : fact(kAnything, state[in.a] >> 2);
  set(state, in.ra(), index);
  set(state, in.ra() + 3, index);
}

void KnownTypes::transfer(State& state, int pc, bool jumps) const {
  const Instruction& in = code_[pc];
  // R[a] may hold anything; where more is written, all from there on: there may be a callee's frame, or slots that a collection clears.
  const auto forget_written = [&] {
    const uint32_t groups = opcode_facts(in.op).writes;
    if (groups == kNone) return;
    if (groups == kRa) return set(state, in.ra(), fact(kAnything, 0));
    forget_from(state, (groups & kAll) != 0 ? Register{} : in.ra());
  };
  switch (family_of(in.op)) {
    case OpcodeFamily::Move:
      return set(state, in.ra(), state[in.b]);
    case OpcodeFamily::Load:
      if (opcode_facts(in.op).writes != kRa) return forget_written();
      return set(state, in.ra(), of_constant(loaded_value(proto_.constants, in)));
    case OpcodeFamily::Arithmetic:
    case OpcodeFamily::Bitwise:
      static_assert(family_size(OpcodeFamily::Arithmetic) == 14 && family_size(OpcodeFamily::Bitwise) == 10);
      return set(state, in.ra(), arithmetic(in.op, state[in.b], operand(state, in)));
    case OpcodeFamily::Unary:
      static_assert(family_size(OpcodeFamily::Unary) == 2);
      if (in.op == Opcode::Negate) return set(state, in.ra(), state[in.b]);
      return set(state, in.ra(), fact((state[in.b] & 3) == kInteger ? kInteger : kAnything, kInteger));
    case OpcodeFamily::Length:
      static_assert(family_size(OpcodeFamily::Length) == 1 && family_size(OpcodeFamily::Move) == 1);
      return set(state, in.ra(), fact(kAnything, kInteger));
    case OpcodeFamily::CopyBranch:
      if (jumps) set(state, in.ra(), state[in.b]);
      return;
    case OpcodeFamily::NumericFor:
      return transfer_loop(state, in, jumps);
    case OpcodeFamily::Close:  // may call metamethods
      return forget_from(state, in.ra());
    case OpcodeFamily::Upvalue:
    case OpcodeFamily::FieldLoad:
    case OpcodeFamily::FieldStore:
    case OpcodeFamily::ElementLoad:
    case OpcodeFamily::ElementStore:
    case OpcodeFamily::Constructor:
    case OpcodeFamily::Not:
    case OpcodeFamily::Concat:
    case OpcodeFamily::Jump:
    case OpcodeFamily::TruthBranch:
    case OpcodeFamily::EqualityBranch:
    case OpcodeFamily::OrderBranch:
    case OpcodeFamily::Call:
    case OpcodeFamily::Return:
    case OpcodeFamily::Vararg:
    case OpcodeFamily::Closure:
    case OpcodeFamily::GenericFor:
    case OpcodeFamily::Event:
      return forget_written();
  }
}

}  // namespace mangata::jit
