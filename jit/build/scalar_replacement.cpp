#include "jit/build/scalar_replacement.h"

#include <algorithm>

#include "jit/build/lower_fields.h"

namespace mangata::jit {
namespace {

/// One that is there already is no reason to call __newindex. False: it is nil, and the walk has ended.
bool guard_replaced_field_present(const LoweringTools& t, FrameSlot cell) {
  if (t.registers.is_replaced(cell)) return true;
  const Operand old = t.values.read_slot(cell);
  if (old.kind == Kind::Nil) return t.branches.exit_at(t.walk.pc), false;
  t.guards.guard_not_nil(old);
  return true;
}

}  // namespace

bool replace_table(const LoweringTools& t, const Instruction& in) {
  if (!t.tables.make(t.walk.slot_of(in.ra()), in.c, in.b, t.input.empty_shape)) return false;
  t.tally.note_replaced(t.walk);
  return true;
}

void get_replaced_field(const LoweringTools& t, FrameSlot slot, uint32_t field, Register to, const InlineCache* knows_absent) {
  const FrameSlot cell = RegisterFile::field_slot(t.registers.fact(slot).replaced_table, field);
  const bool has_metatable = t.registers.replaced_table(slot).metatable != nullptr;
  const bool may_call = has_metatable && knows_absent == nullptr;
  if (has_metatable && knows_absent != nullptr) guard_epoch(t, *knows_absent);
  if (!t.registers.is_replaced(cell)) {
    Operand value = t.values.read_slot(cell);
    if (may_call && value.kind == Kind::Nil) return t.branches.exit_at(t.walk.pc);
    const std::optional<Kind> recorded = t.values.recorded_result();
    if (value.kind == Kind::Any && recorded) {
      t.values.expect(&value, *recorded);
    } else if (may_call) {
      t.guards.guard_not_nil(value);
    }
  }
  t.values.copy(t.walk.slot_of(to), cell);
}

void set_replaced_field(const LoweringTools& t, FrameSlot slot, const InlineCache& cache, const Operand& value) {
  const FrameSlot cell = RegisterFile::field_slot(t.registers.fact(slot).replaced_table, cache.slot);
  const bool may_call = t.registers.replaced_table(slot).metatable != nullptr;
  const bool adds = cache.kind == InlineCache::kAdd;
  if (adds) {
    if (may_call) guard_epoch(t, cache), t.guards.guard_not_nil(value);
  } else if (may_call && !guard_replaced_field_present(t, cell)) {
    return;
  }
  t.values.put(cell, value);
  if (adds) t.tables.set_shape(slot, cache.new_shape);
}

bool set_replaced_list(const LoweringTools& t, const Instruction& in, int count) {
  const FrameSlot slot = t.walk.slot_of(in.ra());
  if (!t.registers.is_replaced(slot) || in.imm != 0 || count == 0 || count > ReplacedTable::kMostFields) return false;
  const ReplacedTable& table = t.registers.replaced_table(slot);
  if (table.room != 0 || table.count() != 0) return false;
  while (count > 0 && t.values.peek(in.ra() + count).kind == Kind::Nil) --count;  // at the end they are no elements
  if (count == 0) return t.walk.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  Operand last;
  for (int i = 0; i < count; ++i) {
    last = t.values.peek(in.ra() + 1 + i);
    kinds.push_back(last.kind);
  }
  if (!element_kind_of(kinds)) return false;
  t.guards.guard_not_nil(last);
  for (int i = 0; i < count; ++i) {
    t.values.copy(RegisterFile::field_slot(t.registers.fact(slot).replaced_table, static_cast<uint32_t>(i)), t.walk.slot_of(in.ra() + 1 + i));
  }
  t.walk.state.open_end = kNoFrameSlot;
  return true;
}

bool get_replaced_element(const LoweringTools& t, const Instruction& in) {
  const FrameSlot slot = t.walk.slot_of(in.rb());
  const int element = in.op == Opcode::GetInteger ? t.tables.element_at(slot, in.c) : -1;
  if (element >= 0) get_replaced_field(t, slot, static_cast<uint32_t>(element), in.ra(), nullptr);
  return element >= 0;
}

bool set_replaced_element(const LoweringTools& t, const Instruction& in) {
  const FrameSlot slot = t.walk.slot_of(in.ra());
  const int element = in.op == Opcode::SetInteger ? t.tables.element_at(slot, in.b) : -1;
  if (element < 0) return false;
  const ReplacedTable& table = t.registers.replaced_table(slot);
  const Operand value = t.values.peek_rk(in.c);
  const FrameSlot cell = RegisterFile::field_slot(t.registers.fact(slot).replaced_table, static_cast<uint32_t>(element));
  std::vector<Kind> kinds = kinds_of(table);
  kinds[static_cast<size_t>(element)] = value.kind;
  if (value.kind == Kind::Nil || value.kind == Kind::Any || !element_kind_of(kinds)) return false;
  if (table.metatable != nullptr && !guard_replaced_field_present(t, cell)) return true;
  t.values.put(cell, value);
  return true;
}

bool get_replaced_length(const LoweringTools& t, const Instruction& in) {
  const FrameSlot slot = t.walk.slot_of(in.rb());
  if (!t.registers.is_replaced(slot) || t.registers.replaced_table(slot).metatable != nullptr) return false;
  const ReplacedTable& table = t.registers.replaced_table(slot);
  t.values.write_integer(in.ra(), t.b.word(static_cast<uint64_t>(table.room != 0 ? 0 : table.count())));
  return true;
}

}  // namespace mangata::jit
