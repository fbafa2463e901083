#include "jit/build/lower_allocation.h"

#include <algorithm>

#include "jit/build/scalar_replacement.h"

namespace mangata::jit {
namespace {

/// Longer lists are worth a call.
constexpr int kMaxInlineElements = 8;

}  // namespace

bool lower_new_table(const LoweringTools& t, const Instruction& in) {
  if (t.registers.is_captured(t.walk.slot_of(in.ra()))) return t.calls.do_instruction();
  if (replace_table(t, in)) return true;
  const uint32_t room = std::min<uint32_t>(in.c, kMaxInlineSlots);
  IrValue table = t.heap.make_table(t.input.empty_shape, nullptr, room, in.b);
  t.values.write(in.ra(), {.kind = Kind::Table, .payload = t.b.pointer_to_integer(table)});
  t.registers.fact(t.walk.slot_of(in.ra())).shape = t.input.empty_shape;
  t.registers.fact(t.walk.slot_of(in.ra())).new_slots = static_cast<uint8_t>(room);
  t.safepoints.collect_behind();
  return true;
}

bool lower_set_list(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const bool is_open = in.b == 0;
  if (is_open && t.walk.state.open_end == kNoFrameSlot) return t.branches.exit_at(t.walk.pc), false;
  const int count = is_open ? t.walk.state.open_end - t.walk.slot_of(in.ra() + 1) : in.b;
  if (set_replaced_list(t, in, count)) return true;
  Operand table = t.values.read(in.ra());
  if (count == 0 || count > kMaxInlineElements || in.imm != 0 || table.kind != Kind::Table) return t.calls.do_instruction();
  std::vector<Operand> values;
  for (int i = 0; i < count; ++i) values.push_back(t.values.read(in.ra() + 1 + i));
  while (!values.empty() && values.back().kind == Kind::Nil) values.pop_back();  // at the end they are no elements
  if (values.empty()) return t.walk.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  for (const Operand& value : values) kinds.push_back(value.kind);
  const std::optional<ElementKind> kind = element_kind_of(kinds);
  t.guards.prefer_slow_path();
  IrValue object = b.pointer(table);
  IrValue marking = b.load(IrType::I8, b.at(b.vm(), static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kMarking)),
                           Memory::Machine);
  t.guards.guard(b.eq(marking, b.i8(0)));
  t.guards.guard(b.is_null(b.load(IrType::Pointer, b.at(object, offsetof(Table, elements)), Memory::Header)));
  t.guards.guard(b.is_null(b.load(IrType::Pointer, b.at(object, offsetof(Table, hash)), Memory::Header)));
  t.guards.guard(b.ule(b.load(IrType::I32, b.at(object, offsetof(Table, element_capacity)), Memory::Header), b.i32(static_cast<uint32_t>(count))));
  t.guards.guard_not_nil(values.back());
  if (kind) {
    t.heap.make_elements(object, *kind, values);
    t.registers.know_elements(table, static_cast<uint8_t>(*kind));
  } else {
    t.heap.make_elements_of_unknown_kind(object, values);
  }
  t.walk.state.open_end = kNoFrameSlot;
  t.safepoints.collect_behind();
  return true;
}

}  // namespace mangata::jit
