// Accesses of tables that exist only in the region (replaced_tables.h), by the program.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

/// The constructor's table. False: it is made at once.
bool Lowering::replace_table(const Instruction& in) {
  if (!tables_.make(walk_.slot_of(in.ra()), in.c, in.b, input_.empty_shape)) return false;
  tally_.note_replaced(walk_);
  return true;
}

/// R[to] := the property. With a metatable, one that is nil may be found along __index: that leaves, unless the cache (may be null)
/// knows that there is none.
void Lowering::get_replaced_field(FrameSlot slot, uint32_t field, Register to, const InlineCache* knows_absent) {
  const FrameSlot cell = RegisterFile::field_slot(registers_.fact(slot).replaced_table, field);
  const bool has_metatable = registers_.replaced_table(slot).metatable != nullptr;
  const bool may_call = has_metatable && knows_absent == nullptr;
  if (has_metatable && knows_absent != nullptr) guard_epoch(*knows_absent);
  if (!registers_.is_replaced(cell)) {
    Operand value = values_.read_slot(cell);
    if (may_call && value.kind == Kind::Nil) return branches_.exit_at(walk_.pc);
    const TagMask recorded = walk_.site().result;
    const bool is_known = value.kind != Kind::Any || (is_single(recorded) && recorded != tag_bit(Tag::Nil));
    if (!is_known && may_call) guards_.guard_not_nil(value);
    if (is_known && value.kind == Kind::Any) values_.expect(&value, kind_of(static_cast<Tag>(std::countr_zero(recorded))));
  }
  values_.copy(walk_.slot_of(to), cell);
}

/// A property that it has, or gets; without a metatable also one that is nil (vm/object/table_store.cpp). The same for __newindex.
void Lowering::set_replaced_field(FrameSlot slot, const InlineCache& cache, const Operand& value) {
  const FrameSlot cell = RegisterFile::field_slot(registers_.fact(slot).replaced_table, cache.slot);
  const bool may_call = registers_.replaced_table(slot).metatable != nullptr;
  const bool adds = cache.kind == InlineCache::kAdd;
  if (adds) {
    if (may_call) guard_epoch(cache), guards_.guard_not_nil(value);
  } else if (may_call && !guard_replaced_field_present(cell)) {
    return;
  }
  values_.put(cell, value);
  if (adds) tables_.set_shape(slot, cache.new_shape);
}

/// One that is there already is no reason to call __newindex. False: it is nil, and the walk has ended.
bool Lowering::guard_replaced_field_present(FrameSlot cell) {
  if (registers_.is_replaced(cell)) return true;
  const Operand old = values_.read_slot(cell);
  if (old.kind == Kind::Nil) return branches_.exit_at(walk_.pc), false;
  guards_.guard_not_nil(old);
  return true;
}

/// The elements of a constructor. False: nothing was generated.
bool Lowering::set_replaced_list(const Instruction& in, int count) {
  const FrameSlot slot = walk_.slot_of(in.ra());
  if (!registers_.is_replaced(slot) || in.imm != 0 || count == 0 || count > ReplacedTable::kMostFields) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  if (table.room != 0 || table.count() != 0) return false;
  while (count > 0 && values_.peek(in.ra() + count).kind == Kind::Nil) --count;  // at the end they are no elements
  if (count == 0) return walk_.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  Operand last;
  for (int i = 0; i < count; ++i) {
    last = values_.peek(in.ra() + 1 + i);
    kinds.push_back(last.kind);
  }
  if (!element_kind_of(kinds)) return false;
  guards_.guard_not_nil(last);
  for (int i = 0; i < count; ++i) {
    values_.copy(RegisterFile::field_slot(registers_.fact(slot).replaced_table, static_cast<uint32_t>(i)), walk_.slot_of(in.ra() + 1 + i));
  }
  walk_.state.open_end = kNoFrameSlot;
  return true;
}

/// Of one with a constant index. False: nothing was generated.
bool Lowering::get_replaced_element(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.rb());
  const int element = in.op == Opcode::GetInteger ? tables_.element_at(slot, in.c) : -1;
  if (element >= 0) get_replaced_field(slot, static_cast<uint32_t>(element), in.ra(), nullptr);
  return element >= 0;
}

/// The same, for one that is there.
bool Lowering::set_replaced_element(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.ra());
  const int element = in.op == Opcode::SetInteger ? tables_.element_at(slot, in.b) : -1;
  if (element < 0) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  const Operand value = values_.peek_rk(in.c);
  const FrameSlot cell = RegisterFile::field_slot(registers_.fact(slot).replaced_table, static_cast<uint32_t>(element));
  std::vector<Kind> kinds = kinds_of(table);
  kinds[static_cast<size_t>(element)] = value.kind;
  if (value.kind == Kind::Nil || value.kind == Kind::Any || !element_kind_of(kinds)) return false;
  if (table.metatable != nullptr && !guard_replaced_field_present(cell)) return true;
  values_.put(cell, value);
  return true;
}

/// Without a metatable: the last of them is not nil.
bool Lowering::get_replaced_length(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.rb());
  if (!registers_.is_replaced(slot) || registers_.replaced_table(slot).metatable != nullptr) return false;
  const ReplacedTable& table = registers_.replaced_table(slot);
  values_.write_integer(in.ra(), b_.word(static_cast<uint64_t>(table.room != 0 ? 0 : table.count())));
  return true;
}

}  // namespace mangata::jit
