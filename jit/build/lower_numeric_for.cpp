#include "jit/build/lower_numeric_for.h"

#include "jit/build/lower_branches.h"

namespace mangata::jit {
namespace {

/// The step of the loop whose ForPrepare that is, if the instruction before has loaded an integer for it, and control comes
/// from there only; otherwise 0.
int64_t constant_step(const LoweringTools& t, int prepare) {
  if (prepare <= 0 || t.walk.function().is_leader[static_cast<size_t>(prepare)]) return 0;
  const std::vector<Instruction>& code = t.walk.function().code;
  int pc = prepare - 1;
  while (pc > 0 && code[static_cast<size_t>(pc)].op == Opcode::PathEvent) --pc;
  const Instruction& before = code[static_cast<size_t>(pc)];
  return before.op == Opcode::LoadInteger && before.a == code[static_cast<size_t>(prepare)].a + 2 ? before.imm : 0;
}

/// The ForPrepare of the loop that ends here: the last one with its registers. Loops in its body have others.
int prepare_of_loop(const LoweringTools& t, const Instruction& loop) {
  int pc = t.walk.pc - 1;
  const auto is_it = [&](const Instruction& in) { return in.op == Opcode::ForPrepare && in.a == loop.a; };
  while (pc > 0 && !is_it(t.walk.function().code[static_cast<size_t>(pc)])) --pc;
  return pc;
}

}  // namespace

bool lower_for_prepare(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const int target = t.walk.pc + 1 + in.imm;
  const int64_t by = constant_step(t, t.walk.pc);
  Operand start = t.values.read(in.ra()), limit = t.values.read(in.ra() + 1);
  const bool integers = by != 0 && (start.kind == Kind::Integer || start.kind == Kind::Any) &&
                        (limit.kind == Kind::Integer || limit.kind == Kind::Any) &&
                        t.registers.is_captured(t.walk.slot_of(in.ra())) == false;
  if (!integers) return branch_by_runtime(t, target);
  if (!t.values.expect(&start, Kind::Integer) || !t.values.expect(&limit, Kind::Integer)) return t.branches.exit_at(t.walk.pc), false;
  IrValue skips = by > 0 ? b.slt(limit.payload, start.payload)
                         : b.sgt(limit.payload, start.payload);
  IrValue distance =
      by > 0 ? b.sub(limit.payload, start.payload) : b.sub(start.payload, limit.payload);
  const auto unit = static_cast<uint64_t>(by > 0 ? by : -by);
  if (unit != 1) distance = b.udiv(distance, b.word(unit));
  // The registers count only where the loop runs; where it does not, they are dead.
  t.values.write_integer(in.ra() + 3, start.payload);
  t.values.write_integer(in.ra() + 1, distance);
  t.branches.branch(skips, target);
  return false;
}

bool lower_for_loop(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const int target = t.walk.pc + 1 + in.imm;
  t.polls.reserve_event();
  Operand step = t.values.read(in.ra() + 2);
  if (step.kind == Kind::Any &&
      !t.values.expect_number(&step, t.registers.fact(t.walk.slot_of(in.ra() + 2)).kind == Kind::Any ? tag_bit(Tag::Integer) : TagMask{0})) {
    return t.branches.exit_at(t.walk.pc), false;
  }
  Operand index = t.values.read(in.ra()), limit = t.values.read(in.ra() + 1);
  if (!is_number(step.kind) || !t.values.expect(&index, step.kind) || !t.values.expect(&limit, step.kind))
    return t.branches.exit_at(t.walk.pc), false;
  IrValue goes_on;
  Operand next{.kind = step.kind};
  if (step.kind == Kind::Integer) {
    // Where the loop is entered in its middle, the register says nothing.
    if (const int64_t by = constant_step(t, prepare_of_loop(t, in)); by != 0) step.payload = b.word(static_cast<uint64_t>(by));
    goes_on = b.ne(limit.payload, b.word(0));
    next.payload = b.add(index.payload, step.payload);
  } else {
    next.payload = b.fadd(index.payload, step.payload);
    IrValue upwards = b.fgt(step.payload, b.f64(0));
    goes_on = b.select(upwards, b.fle(next.payload, limit.payload), b.fle(limit.payload, next.payload));
  }
  Block loops = b.make_block("loops");
  Block ends = b.make_block("ends");
  t.branches.set_weights(b.branch(goes_on, loops, ends));
  t.branches.arm(ends, false, t.walk.pc + 1);
  b.set_position(loops);
  t.walk.ended = false;
  if (!t.contexts.is_seen(true)) {
    // Not gone back while it was recorded, so there is no code for the body: as baseline code does it.
    return t.branches.exit_at(t.walk.pc, ExitSite::Why::Arm), false;
  }
  t.events.take();
  if (step.kind == Kind::Integer) t.values.write_integer(in.ra() + 1, b.sub(limit.payload, b.word(1)));
  t.values.write(in.ra(), next);
  t.values.write(in.ra() + 3, next);
  t.walk.track = t.contexts.track_of(true);
  t.branches.go_to(target);
  return false;
}

}  // namespace mangata::jit
