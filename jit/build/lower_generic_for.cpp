// Generic `for` (manual §3.3.5): the iterators of ipairs and next without a call of a function; iterators in Lua are inlined.
#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {

bool Lowering::lower_generic_for(const Instruction& in) {
  if (in.op == Opcode::GenericForCall) return lower_iteration(in);
  if (in.op == Opcode::GenericForPrepare) {
    Operand closing = read(in.ra() + 3);
    if (!expect(&closing, Kind::Nil)) return exit_at(pc_), false;
    // Its payload is the cursor of `next`, which lives in the frame.
    store(word(0), frame_address(slot_of(in.ra() + 3)), Memory::Frame);
    store(word(static_cast<uint64_t>(Tag::Nil)), frame_address(slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
    write_frame(in.ra() + 3);
    go_to(pc_ + 1 + in.imm);
    return false;
  }
  const int target = pc_ + 1 + in.imm;
  const Operand first = read(in.ra() + 4);
  reserve_event();
  if (has_known_tag(first.kind)) {
    if (first.kind != Kind::Nil) copy_slot(slot_of(in.ra() + 2), slot_of(in.ra() + 4)), take_event();
    return branch_known(first.kind != Kind::Nil, target), false;
  }
  Block loops = make_block("loops");
  Block ends = make_block("ends");
  set_likely(b_.branch(b_.eq(first.tag, word(0)), ends, loops), false);
  arm(ends, false, pc_ + 1);
  b_.set_position(loops);
  ended_ = false;
  if (!is_seen(true)) return exit_at(pc_, ExitSite::Why::Arm), false;
  take_event();
  copy_slot(slot_of(in.ra() + 2), slot_of(in.ra() + 4));
  track_ = track_of(true);
  go_to(target);
  return false;
}

bool Lowering::lower_iteration(const Instruction& in) {
  const RegionFunction* callee = function().callees[static_cast<size_t>(pc_)];
  if (callee != nullptr && !site().is_unstable && inline_iterator(in, *callee)) return false;
  const auto id = static_cast<NativeId>(site().native_id);
  if (site().many_callees || (id != NativeId::Next && id != NativeId::IpairsIterator)) return lower_by_runtime();
  if (!site().is_unstable && (id == NativeId::Next ? step_next(in) : step_ipairs(in))) return true;
  publish_values(pc_);
  IrValue done = b_.call(IrType::I8, address_constant(runtime_.iterate),
                         {frame_address(slot_of(in.ra())), b_.i32(in.c)});
  exit_unless(b_.ne(b_.bit_and(done, b_.i8(1)), b_.i8(0)));
  for (int reg = in.a + 3; reg < function().register_count; ++reg) write_frame(Register{reg});
  return true;
}

/// What lies behind the cursor, which is the payload of the closing value. Where the loop has gone on by calls meanwhile, nobody
/// knows where the cursor would be. False: nothing was generated.
bool Lowering::step_next(const Instruction& in) {
  Operand function = read(in.ra()), table = read(in.ra() + 1), control = read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table);
  if (!are_usual || in.c > 2) return false;
  guard_native(&function, NativeId::Next);
  expect(&table, Kind::Table);
  IrValue place = frame_address(slot_of(in.ra() + 3));
  IrValue closing = load(IrType::I64, frame_address(slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
  guard(b_.eq(closing, word(static_cast<uint64_t>(Tag::Nil))));
  IrValue cursor = load(IrType::I64, place, Memory::Frame);
  IrValue begins = b_.eq(tag_value(control), word(static_cast<uint64_t>(Tag::Nil)));
  guard(b_.bit_or(begins, b_.ne(cursor, word(0))));

  IrValue pair = b_.stack_area(2 * sizeof(Value));
  IrValue next = b_.call(IrType::I64, address_constant(runtime_.next_of), {pointer(table), cursor, pair}, ir::CallMemory::Reads);
  Block has_next = make_block("has_next");
  Block ends = make_block("no_next");
  set_likely(b_.branch(b_.ne(next, word(kTraversed)), has_next, ends), true);
  b_.set_position(has_next);
  store(next, place, Memory::Frame);
  const Operand key = load_value(pair, Memory::Machine), value = load_value(at(pair, sizeof(Value)), Memory::Machine);
  beside([&] {
    write(in.ra() + 4, key);
    if (in.c > 1) write(in.ra() + 5, value);
    go_to(pc_ + 1);
  });
  b_.set_position(ends);
  write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

/// The next element of the array, or the end where nothing else could have one. False: nothing was generated.
bool Lowering::step_ipairs(const Instruction& in) {
  Operand function = read(in.ra()), table = read(in.ra() + 1), control = read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table) &&
                         (control.kind == Kind::Any || control.kind == Kind::Integer);
  const unsigned seen = site().kinds & ~1u;
  if (!are_usual || in.c > 2 || !std::has_single_bit(seen)) return false;
  guard_native(&function, NativeId::IpairsIterator);
  expect(&table, Kind::Table);
  expect(&control, Kind::Integer);
  uint8_t kind = 0;
  guard_elements(&table, &kind);
  IrValue object = pointer(table);
  Block inside = make_block("element");
  Block otherwise = make_block("no_element");
  set_likely(b_.branch(b_.ult(control.payload, array_size(object)), inside, otherwise), true);
  b_.set_position(inside);
  IrValue elements = load(IrType::Pointer, at(object, offsetof(Table, elements)), Memory::Header);
  Operand element{.kind = Kind::Any};
  if (kind == static_cast<uint8_t>(ElementKind::Any)) {
    IrValue address = b_.address(elements, b_.shl(control.payload, word(4)), 1);
    element = load_value(address, Memory::Values);
    Block present = make_block("present");
    set_likely(b_.branch(b_.ne(element.tag, word(0)), present, otherwise), true);
    b_.set_position(present);
  } else {
    element = load_unboxed(elements, control.payload, kind);
  }
  beside([&] {
    write_integer(in.ra() + 4, b_.add(control.payload, word(1)));
    if (in.c > 1) write(in.ra() + 5, element);
    go_to(pc_ + 1);
  });
  b_.set_position(otherwise);
  Block asks = make_block("asks");
  Block ends = make_block("no_more");
  IrValue no_hash = b_.is_null(load(IrType::Pointer, at(object, offsetof(Table, hash)), Memory::Header));
  set_likely(b_.branch(b_.bit_and(no_hash, lacks(object, kNoIndex)), ends, asks), true);
  b_.set_position(asks);
  by_slow_path();
  b_.set_position(ends);
  write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

}  // namespace mangata::jit
