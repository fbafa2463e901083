// Generic `for` (manual §3.3.5): the iterators of ipairs and next without a call of a function; iterators in Lua are inlined.
#include "jit/build/lowering.h"

namespace mangata::jit {

bool Lowering::lower_generic_for(const Instruction& in) {
  if (in.op == Opcode::GenericForCall) return lower_iteration(in);
  if (in.op == Opcode::GenericForPrepare) {
    Operand closing = values_.read(in.ra() + 3);
    if (!values_.expect(&closing, Kind::Nil)) return branches_.exit_at(walk_.pc), false;
    // Its payload is the cursor of `next`, which lives in the frame.
    b_.store(b_.word(0), b_.frame_address(walk_.slot_of(in.ra() + 3)), Memory::Frame);
    b_.store(b_.word(static_cast<uint64_t>(Tag::Nil)), b_.frame_address(walk_.slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
    registers_.forget(in.ra() + 3);
    branches_.go_to(walk_.pc + 1 + in.imm);
    return false;
  }
  const int target = walk_.pc + 1 + in.imm;
  const Operand first = values_.read(in.ra() + 4);
  polls_.reserve_event();
  if (has_known_tag(first.kind)) {
    if (first.kind != Kind::Nil) values_.copy(walk_.slot_of(in.ra() + 2), walk_.slot_of(in.ra() + 4)), events_.take();
    return branches_.branch_known(first.kind != Kind::Nil, target), false;
  }
  Block loops = b_.make_block("loops");
  Block ends = b_.make_block("ends");
  b_.set_likely(b_.branch(b_.eq(first.tag, b_.word(0)), ends, loops), false);
  branches_.arm(ends, false, walk_.pc + 1);
  b_.set_position(loops);
  walk_.ended = false;
  if (!contexts_.is_seen(true)) return branches_.exit_at(walk_.pc, ExitSite::Why::Arm), false;
  events_.take();
  values_.copy(walk_.slot_of(in.ra() + 2), walk_.slot_of(in.ra() + 4));
  walk_.track = contexts_.track_of(true);
  branches_.go_to(target);
  return false;
}

bool Lowering::lower_iteration(const Instruction& in) {
  const RegionFunction* callee = walk_.function().callees[static_cast<size_t>(walk_.pc)];
  if (callee != nullptr && !walk_.site().is_unstable && inline_iterator(in, *callee)) return false;
  const auto id = static_cast<NativeId>(walk_.site().native_id);
  if (walk_.site().many_callees || (id != NativeId::Next && id != NativeId::IpairsIterator)) return calls_.do_instruction();
  if (!walk_.site().is_unstable && (id == NativeId::Next ? step_next(in) : step_ipairs(in))) return true;
  calls_.publish_values(walk_.pc);
  IrValue done = b_.call(IrType::I8, b_.address_constant(runtime_.iterate),
                         {b_.frame_address(walk_.slot_of(in.ra())), b_.i32(in.c)});
  guards_.exit_unless(b_.ne(b_.bit_and(done, b_.i8(1)), b_.i8(0)));
  for (int reg = in.a + 3; reg < walk_.function().register_count; ++reg) registers_.forget(Register{reg});
  return true;
}

/// What lies behind the cursor, which is the payload of the closing value. Where the loop has gone on by calls meanwhile, nobody
/// knows where the cursor would be. False: nothing was generated.
bool Lowering::step_next(const Instruction& in) {
  Operand function = values_.read(in.ra()), table = values_.read(in.ra() + 1), control = values_.read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table);
  if (!are_usual || in.c > 2) return false;
  guard_native(&function, NativeId::Next);
  values_.expect(&table, Kind::Table);
  IrValue place = b_.frame_address(walk_.slot_of(in.ra() + 3));
  IrValue closing = b_.load(IrType::I64, b_.frame_address(walk_.slot_of(in.ra() + 3), offsetof(Value, tag)), Memory::Frame);
  guards_.guard(b_.eq(closing, b_.word(static_cast<uint64_t>(Tag::Nil))));
  IrValue cursor = b_.load(IrType::I64, place, Memory::Frame);
  IrValue begins = b_.eq(b_.tag_value(control), b_.word(static_cast<uint64_t>(Tag::Nil)));
  guards_.guard(b_.bit_or(begins, b_.ne(cursor, b_.word(0))));

  IrValue pair = b_.stack_area(2 * sizeof(Value));
  IrValue next = b_.call(IrType::I64, b_.address_constant(runtime_.next_of), {b_.pointer(table), cursor, pair}, ir::CallMemory::Reads);
  Block has_next = b_.make_block("has_next");
  Block ends = b_.make_block("no_next");
  b_.set_likely(b_.branch(b_.ne(next, b_.word(kTraversed)), has_next, ends), true);
  b_.set_position(has_next);
  b_.store(next, place, Memory::Frame);
  const Operand key = b_.load_value(pair, Memory::Machine), value = b_.load_value(b_.at(pair, sizeof(Value)), Memory::Machine);
  queue_.beside([&] {
    values_.write(in.ra() + 4, key);
    if (in.c > 1) values_.write(in.ra() + 5, value);
    branches_.go_to(walk_.pc + 1);
  });
  b_.set_position(ends);
  values_.write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

/// The next element of the array, or the end where nothing else could have one. False: nothing was generated.
bool Lowering::step_ipairs(const Instruction& in) {
  Operand function = values_.read(in.ra()), table = values_.read(in.ra() + 1), control = values_.read(in.ra() + 2);
  const bool are_usual = (function.kind == Kind::Any || function.kind == Kind::NativeFunction) &&
                         (table.kind == Kind::Any || table.kind == Kind::Table) &&
                         (control.kind == Kind::Any || control.kind == Kind::Integer);
  const unsigned seen = walk_.site().kinds & ~1u;
  if (!are_usual || in.c > 2 || !std::has_single_bit(seen)) return false;
  guard_native(&function, NativeId::IpairsIterator);
  values_.expect(&table, Kind::Table);
  values_.expect(&control, Kind::Integer);
  uint8_t kind = 0;
  guard_elements(&table, &kind);
  IrValue object = b_.pointer(table);
  Block inside = b_.make_block("element");
  Block otherwise = b_.make_block("no_element");
  b_.set_likely(b_.branch(b_.ult(control.payload, array_size(b_, object)), inside, otherwise), true);
  b_.set_position(inside);
  IrValue elements = b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header);
  Operand element{.kind = Kind::Any};
  if (kind == static_cast<uint8_t>(ElementKind::Any)) {
    IrValue address = b_.address(elements, b_.shl(control.payload, b_.word(4)), 1);
    element = b_.load_value(address, Memory::Values);
    Block present = b_.make_block("present");
    b_.set_likely(b_.branch(b_.ne(element.tag, b_.word(0)), present, otherwise), true);
    b_.set_position(present);
  } else {
    element = load_unboxed(elements, control.payload, kind);
  }
  queue_.beside([&] {
    values_.write_integer(in.ra() + 4, b_.add(control.payload, b_.word(1)));
    if (in.c > 1) values_.write(in.ra() + 5, element);
    branches_.go_to(walk_.pc + 1);
  });
  b_.set_position(otherwise);
  Block asks = b_.make_block("asks");
  Block ends = b_.make_block("no_more");
  IrValue no_hash = b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, hash)), Memory::Header));
  b_.set_likely(b_.branch(b_.bit_and(no_hash, lacks(b_, object, kNoIndex)), ends, asks), true);
  b_.set_position(asks);
  guards_.by_slow_path();
  b_.set_position(ends);
  values_.write(in.ra() + 4, {.kind = Kind::Nil});
  return true;
}

}  // namespace mangata::jit
