// New tables, as baseline code makes them (jit/baseline/emit_allocation.cpp): bump allocation inline, no runtime call while there
// is room, so values stay unboxed. After a step of the collector the region is left: finalizers may have changed any table, and it
// is too rare for code of its own.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {
namespace {

/// Longer lists are worth a call.
constexpr int kMaxInlineElements = 8;

}  // namespace

bool Lowering::lower_new_table(const Instruction& in) {
  if (registers_.is_captured(walk_.slot_of(in.ra()))) return calls_.do_instruction();
  if (replace_table(in)) return true;
  const uint32_t room = std::min<uint32_t>(in.c, kMaxInlineSlots);
  IrValue table = heap_.make_table(input_.empty_shape, nullptr, room, in.b);
  values_.write(in.ra(), {.kind = Kind::Table, .payload = b_.pointer_to_integer(table)});
  registers_.fact(walk_.slot_of(in.ra())).shape = input_.empty_shape;
  registers_.fact(walk_.slot_of(in.ra())).new_slots = static_cast<uint8_t>(room);
  safepoints_.collect_behind();
  return true;
}

/// The positional part of a small constructor: the elements of a new table, in one go.
bool Lowering::lower_set_list(const Instruction& in) {
  const bool is_open = in.b == 0;
  if (is_open && walk_.state.open_end == kNoFrameSlot) return branches_.exit_at(walk_.pc), false;
  const int count = is_open ? walk_.state.open_end - walk_.slot_of(in.ra() + 1) : in.b;
  if (set_replaced_list(in, count)) return true;
  Operand table = values_.read(in.ra());
  if (count == 0 || count > kMaxInlineElements || in.imm != 0 || table.kind != Kind::Table) return calls_.do_instruction();
  std::vector<Operand> values;
  for (int i = 0; i < count; ++i) values.push_back(values_.read(in.ra() + 1 + i));
  while (!values.empty() && values.back().kind == Kind::Nil) values.pop_back();  // at the end they are no elements
  if (values.empty()) return walk_.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  for (const Operand& value : values) kinds.push_back(value.kind);
  const std::optional<ElementKind> kind = element_kind_of(kinds);
  if (!kind) return calls_.do_instruction();
  guards_.prefer_slow_path();
  IrValue object = b_.pointer(table);
  IrValue marking = b_.load(IrType::I8, b_.at(b_.vm(), static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kMarking)),
                            Memory::Machine);
  guards_.guard(b_.eq(marking, b_.i8(0)));
  guards_.guard(b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header)));
  guards_.guard(b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, hash)), Memory::Header)));
  guards_.guard(b_.ule(b_.load(IrType::I32, b_.at(object, offsetof(Table, element_capacity)), Memory::Header), b_.i32(static_cast<uint32_t>(count))));
  guards_.guard_not_nil(values.back());
  heap_.make_elements(object, *kind, values);
  if (!registers_.is_captured(table.slot)) registers_.fact(table.slot).elements = static_cast<uint8_t>(*kind);
  walk_.state.open_end = kNoFrameSlot;
  safepoints_.collect_behind();
  return true;
}

}  // namespace mangata::jit
