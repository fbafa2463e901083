#include "jit/build/lower_generic_for.h"

#include "jit/build/lower_elements.h"
#include "jit/build/lower_frames.h"
#include "jit/build/lower_intrinsics.h"

namespace mangata::jit {
namespace {

/// What lies behind the cursor, which is the payload of the closing value. Where the loop has gone on by calls meanwhile, nobody
/// knows where the cursor would be. False: nothing was generated.
bool step_next(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand function = t.values.read(in.ra()), table = t.values.read(in.ra() + 1), control = t.values.read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table);
  if (!are_usual || in.c > 2) return false;
  guard_native(t, &function, NativeId::Next);
  t.values.expect(&table, Kind::Table);
  IrValue place = b.frame_address(t.walk.slot_of(in.ra() + 3));
  IrValue closing = b.load(IrType::I64, b.frame_address(t.walk.slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
  t.guards.guard(b.eq(closing, b.word(static_cast<uint64_t>(Tag::Nil))));
  IrValue cursor = b.load(IrType::I64, place, Memory::Frame);
  IrValue begins = b.eq(b.tag_value(control), b.word(static_cast<uint64_t>(Tag::Nil)));
  t.guards.guard(b.bit_or(begins, b.ne(cursor, b.word(0))));

  IrValue pair = b.stack_area(2 * sizeof(Value));
  IrValue next = b.call(IrType::I64, b.address_constant(t.runtime.next_of), {b.pointer(table), cursor, pair}, ir::CallMemory::Reads);
  Block has_next = b.make_block("has_next");
  Block ends = b.make_block("no_next");
  b.set_likely(b.branch(b.ne(next, b.word(kTraversed)), has_next, ends), true);
  b.set_position(has_next);
  b.store(next, place, Memory::Frame);
  const Operand key = b.load_value(pair, Memory::Machine), value = b.load_value(b.at(pair, sizeof(Value)), Memory::Machine);
  t.queue.beside([&] {
    t.values.write(in.ra() + 4, key);
    if (in.c > 1) t.values.write(in.ra() + 5, value);
    t.branches.go_to(t.walk.pc + 1);
  });
  b.set_position(ends);
  t.values.write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

/// The next element of the array, or the end where nothing else could have one. False: nothing was generated.
bool step_ipairs(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand function = t.values.read(in.ra()), table = t.values.read(in.ra() + 1), control = t.values.read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table) &&
                         (control.kind == Kind::Any || control.kind == Kind::Integer);
  if (!are_usual || in.c > 2) return false;
  guard_native(t, &function, NativeId::IpairsIterator);
  t.values.expect(&table, Kind::Table);
  t.values.expect(&control, Kind::Integer);
  uint8_t kind = 0;
  const bool is_one_kind = guard_elements(t, &table, &kind);
  IrValue object = b.pointer(table);
  Block inside = b.make_block("element");
  Block otherwise = b.make_block("no_element");
  b.set_likely(b.branch(b.ult(control.payload, array_size(b, object)), inside, otherwise), true);
  b.set_position(inside);
  Operand element;
  if (is_one_kind) {
    IrValue elements = b.load(IrType::Pointer, b.at(object, offsetof(Table, elements)), Memory::Header);
    element = load_of_kind(t, elements, control.payload, kind);
  } else {
    const unsigned seen = t.walk.site().kinds & kEachKind;
    element = load_of_kinds(t, object, control.payload, seen == 0 ? kEachKind : seen);
  }
  if (element.kind == Kind::Any) {
    Block present = b.make_block("present");
    b.set_likely(b.branch(b.ne(element.tag, b.word(0)), present, otherwise), true);
    b.set_position(present);
  }
  t.queue.beside([&] {
    t.values.write_integer(in.ra() + 4, b.add(control.payload, b.word(1)));
    if (in.c > 1) t.values.write(in.ra() + 5, element);
    t.branches.go_to(t.walk.pc + 1);
  });
  b.set_position(otherwise);
  Block asks = b.make_block("asks");
  Block ends = b.make_block("no_more");
  IrValue no_hash = b.is_null(b.load(IrType::Pointer, b.at(object, offsetof(Table, hash)), Memory::Header));
  b.set_likely(b.branch(b.bit_and(no_hash, lacks(b, object, kNoIndex)), ends, asks), true);
  b.set_position(asks);
  t.guards.by_slow_path();
  b.set_position(ends);
  t.values.write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

bool lower_iteration(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const RegionFunction* callee = t.walk.function().callees[static_cast<size_t>(t.walk.pc)];
  if (callee != nullptr && !t.walk.site().is_unstable && inline_iterator(t, in, *callee)) return false;
  const auto id = static_cast<NativeId>(t.walk.site().native_id);
  if (t.walk.site().many_callees || (id != NativeId::Next && id != NativeId::IpairsIterator)) return t.calls.do_instruction();
  if (!t.walk.site().is_unstable && (id == NativeId::Next ? step_next(t, in) : step_ipairs(t, in))) return true;
  t.calls.publish_values(t.walk.pc);
  IrValue done = b.call(IrType::I8, b.address_constant(t.runtime.iterate),
                        {b.frame_address(t.walk.slot_of(in.ra())), b.i32(in.c)});
  t.guards.exit_unless(b.ne(b.bit_and(done, b.i8(1)), b.i8(0)));
  for (int reg = in.a + 3; reg < t.walk.function().register_count; ++reg) t.registers.forget(Register{reg});
  return true;
}

}  // namespace

bool lower_generic_for(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (in.op == Opcode::GenericForCall) return lower_iteration(t, in);
  if (in.op == Opcode::GenericForPrepare) {
    Operand closing = t.values.read(in.ra() + 3);
    if (!t.values.expect(&closing, Kind::Nil)) return t.branches.exit_at(t.walk.pc), false;
    // Its payload is the cursor of `next`, which lives in the frame.
    b.store(b.word(0), b.frame_address(t.walk.slot_of(in.ra() + 3)), Memory::Frame);
    b.store(b.word(static_cast<uint64_t>(Tag::Nil)), b.frame_address(t.walk.slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
    t.registers.forget(in.ra() + 3);
    t.branches.go_to(t.walk.pc + 1 + in.imm);
    return false;
  }
  const int target = t.walk.pc + 1 + in.imm;
  const Operand first = t.values.read(in.ra() + 4);
  t.polls.reserve_event();
  if (has_known_tag(first.kind)) {
    if (first.kind != Kind::Nil) t.values.copy(t.walk.slot_of(in.ra() + 2), t.walk.slot_of(in.ra() + 4)), t.events.take();
    return t.branches.branch_known(first.kind != Kind::Nil, target), false;
  }
  Block loops = b.make_block("loops");
  Block ends = b.make_block("ends");
  b.set_likely(b.branch(b.eq(first.tag, b.word(0)), ends, loops), false);
  t.branches.arm(ends, false, t.walk.pc + 1);
  b.set_position(loops);
  t.walk.ended = false;
  if (!t.contexts.is_seen(true)) return t.branches.exit_at(t.walk.pc, ExitSite::Why::Arm), false;
  t.events.take();
  t.values.copy(t.walk.slot_of(in.ra() + 2), t.walk.slot_of(in.ra() + 4));
  t.walk.track = t.contexts.track_of(true);
  t.branches.go_to(target);
  return false;
}

}  // namespace mangata::jit
