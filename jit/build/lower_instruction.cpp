#include "jit/build/lower_instruction.h"

#include "jit/build/lower_allocation.h"
#include "jit/build/lower_arithmetic.h"
#include "jit/build/lower_branches.h"
#include "jit/build/lower_calls.h"
#include "jit/build/lower_elements.h"
#include "jit/build/lower_fields.h"
#include "jit/build/lower_frames.h"
#include "jit/build/lower_generic_for.h"
#include "jit/build/lower_numeric_for.h"
#include "jit/build/lower_upvalues.h"

namespace mangata::jit {
namespace {

bool lower_path_event(const LoweringTools& t, const Instruction& in) {
  const RegionEvent& event = t.walk.function().events[static_cast<size_t>(in.imm)];
  t.path_events.execute(event);
  t.branches.go_to(t.walk.pc + 1 + event.record.jump);
  return false;
}

void lower_load(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  static_assert(family_size(OpcodeFamily::Load) == 6);
  if (in.op == Opcode::LoadInteger) return t.values.write_integer(in.ra(), b.word(static_cast<uint64_t>(int64_t{in.imm})));
  if (in.op == Opcode::LoadFloat) return t.values.write_float(in.ra(), b.f64(in.imm));
  if (in.op == Opcode::LoadConstant) return t.values.write(in.ra(), t.registers.constant(in.imm));
  if (in.op != Opcode::LoadNil) return t.values.write_boolean(in.ra(), in.op == Opcode::LoadTrue);
  for (int i = 0; i < in.b; ++i) t.values.write(in.ra() + i, {.kind = Kind::Nil});
}

/// Of a function that was inlined, how many there are is known.
bool lower_vararg(const LoweringTools& t, const Instruction& in) {
  if (in.op == Opcode::Vararg && t.walk.state.is_inlined() && in.b == 0) {
    const InlineFrame& frame = t.walk.state.top();
    const int count = in.c != 0 ? in.c - 1 : frame.varargs;
    const FrameSlot first = t.walk.slot_of(in.ra());
    t.walk.state.reach(first + count);
    t.registers.need_stack_to(first + count);
    for (int i = 0; i < count; ++i) i < frame.varargs ? t.values.copy(first + i, frame.vararg(i)) : t.registers.set(first + i, {.kind = Kind::Nil});
    if (in.c == 0) t.walk.state.open_end = first + count;
    return true;
  }
  if (in.op != Opcode::Vararg || !knows_results(t.walk.function(), t.walk.pc)) return t.branches.exit_at(t.walk.pc), false;
  t.calls.do_instruction();
  return expect_results(t, in), true;
}

/// In a function that was inlined nothing can be open: it makes no closures and has no variables to be closed.
bool lower_close(const LoweringTools& t) { return t.walk.state.is_inlined() || t.calls.do_instruction(); }

}  // namespace

bool lower_instruction(const LoweringTools& t, const Instruction& in) {
  if (in.op == Opcode::PathEvent) return lower_path_event(t, in);
  if (t.walk.site().count == 0 && (t.contexts.merges(t.walk.track) || t.walk.state.is_inlined()))
    return t.branches.exit_at(t.walk.pc), false;
  switch (family_of(in.op)) {
    case OpcodeFamily::Move:
      return t.values.copy(t.walk.slot_of(in.ra()), t.walk.slot_of(in.rb())), true;
    case OpcodeFamily::Load:
      return lower_load(t, in), true;
    case OpcodeFamily::Upvalue:
      return lower_upvalue(t, in);
    case OpcodeFamily::FieldLoad:
      return lower_field(t, in);
    case OpcodeFamily::FieldStore:
      return lower_field_store(t, in);
    case OpcodeFamily::ElementLoad:
      return lower_element(t, in);
    case OpcodeFamily::ElementStore:
      return lower_element_store(t, in);
    case OpcodeFamily::Constructor:
      return in.op == Opcode::NewTable ? lower_new_table(t, in) : lower_set_list(t, in);
    case OpcodeFamily::Arithmetic:
      return lower_arithmetic(t, in);
    case OpcodeFamily::Bitwise:
      return lower_bitwise(t, in);
    case OpcodeFamily::Unary:
      return lower_unary(t, in);
    case OpcodeFamily::Not:
      return lower_not(t, in);
    case OpcodeFamily::Length:
      return lower_length(t, in);
    case OpcodeFamily::Concat:
    case OpcodeFamily::Closure:
      return t.calls.do_instruction();
    case OpcodeFamily::Jump:
      if (is_backedge(in)) t.polls.reserve_event(), t.events.take();
      return t.branches.go_to(t.walk.pc + 1 + in.imm), false;
    case OpcodeFamily::TruthBranch:
      return lower_truth(t, in);
    case OpcodeFamily::CopyBranch:
      return lower_copying_branch(t, in);
    case OpcodeFamily::EqualityBranch:
      return lower_equality(t, in);
    case OpcodeFamily::OrderBranch:
      return lower_order(t, in);
    case OpcodeFamily::Call:
      return in.op == Opcode::TailCall ? lower_tail_call(t, in) : lower_call(t, in);
    case OpcodeFamily::Return:
      return lower_return(t, in);
    case OpcodeFamily::NumericFor:
      return in.op == Opcode::ForPrepare ? lower_for_prepare(t, in) : lower_for_loop(t, in);
    case OpcodeFamily::GenericFor:
      return lower_generic_for(t, in);
    case OpcodeFamily::Close:
      if (in.op == Opcode::Close) return lower_close(t);
      return t.branches.exit_at(t.walk.pc), false;
    case OpcodeFamily::Vararg:
      return lower_vararg(t, in);
    case OpcodeFamily::Event:
      return lower_path_event(t, in);
  }
  return t.branches.exit_at(t.walk.pc), false;
}

// What their lowering tells apart. (Operators and conditions are looked up; the others are calls of the runtime, or left.)
static_assert(family_size(OpcodeFamily::Move) == 1 && family_size(OpcodeFamily::Not) == 1 && family_size(OpcodeFamily::Length) == 1 &&
              family_size(OpcodeFamily::Jump) == 1 && family_size(OpcodeFamily::Upvalue) == 2 && family_size(OpcodeFamily::FieldLoad) == 3 &&
              family_size(OpcodeFamily::FieldStore) == 2 && family_size(OpcodeFamily::ElementLoad) == 2 &&
              family_size(OpcodeFamily::ElementStore) == 2 && family_size(OpcodeFamily::Constructor) == 2 &&
              family_size(OpcodeFamily::Call) == 2 && family_size(OpcodeFamily::Return) == 3 && family_size(OpcodeFamily::Close) == 2 &&
              family_size(OpcodeFamily::NumericFor) == 2 && family_size(OpcodeFamily::GenericFor) == 3);

}  // namespace mangata::jit
