#include "vm/bytecode/register_effects.h"

#include "vm/object/frame.h"

namespace mangata {
namespace {

/// The end of a list of values that begins at `first`, whose length is given as one more, or as 0 where it is open.
int end_of_list(int first, int count_plus_one, int top) { return count_plus_one == 0 ? top : first + count_plus_one - 1; }

/// A loop over an iterator calls it above its four hidden variables.
constexpr int kIteratorCall = 4;

}  // namespace

RegisterSet registers_of(uint32_t groups, const Instruction& in, int register_count, int top) {
  RegisterSet result;
  const int a = in.a;
  const auto add = [&](uint32_t group, int first, int end) {
    if ((groups & group) != 0) result |= registers_between(first, end);
  };
  const auto add_one = [&](uint32_t group, int reg) {
    if ((groups & group) != 0) result.set(static_cast<size_t>(reg));
  };
  add_one(kRa, a);
  add_one(kRb, in.b);
  if ((in.c & kConstantOperand) == 0) add_one(kRc, in.c);
  constexpr uint32_t kOperands = kRa | kRb | kRc;
  if ((groups & ~(kOperands | kIfTaken)) == 0) return result;
  add(kRangeB, a, a + in.b);
  add(kListB, a + 1, end_of_list(a + 1, in.b == 0 ? 0 : in.b + 1, top));
  add_one(kReceiver, a + kCallOverheadSlots);
  const int first_argument = a + (in.b == 0 ? 1 : kCallOverheadSlots);
  add(kArguments, first_argument, end_of_list(first_argument, in.b, top));
  add(kReturned, a, end_of_list(a, in.b, top));
  add(kResults, a, end_of_list(a, in.c, top));
  if (in.b == 0) add(kVarargs, a, end_of_list(a, in.c, top));
  add(kNumericState, a, a + 3);
  add(kProgress, a, a + 2);
  add_one(kIndex, a + 3);
  add(kGenericState, a, a + kIteratorCall);
  add_one(kControl, a + 2);
  add_one(kClosing, a + 3);
  add(kYielded, a + kIteratorCall, a + kIteratorCall + in.c);
  add_one(kFirstYielded, a + kIteratorCall);
  add(kVariables | kAll, 0, register_count);
  add(kAbove, a + 1, register_count);
  add(kCalleeFrame, a, register_count);
  add(kIteratorFrame, a + kIteratorCall, register_count);
  return result;
}

RegisterEffects register_effects(const Instruction& in, int register_count) {
  const OpcodeFacts& facts = opcode_facts(in.op);
  const uint32_t writes = facts.writes & ~uint32_t{kAbove};
  const uint32_t kept = (writes & kIfTaken) != 0 ? writes : uint32_t{kNone};
  return {registers_of(facts.reads | kept, in, register_count, register_count), registers_of(writes, in, register_count, register_count)};
}

}  // namespace mangata
