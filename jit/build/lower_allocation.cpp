// New tables, as baseline code makes them (jit/baseline/emit_allocation.cpp): bump allocation inline, no runtime call while there
// is room, so values stay unboxed. After a step of the collector the region is left: finalizers may have changed any table, and it
// is too rare for code of its own.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {
namespace {

/// Longer lists are worth a call.
constexpr int kMaxInlineElements = 8;

}  // namespace

/// Of a new table with values of these kinds. None: of unknown ones all might be numbers of one kind.
std::optional<ElementKind> element_kind_of(const std::vector<Kind>& kinds) {
  const Kind first = kinds.front();
  const bool alike = std::all_of(kinds.begin(), kinds.end(), [&](Kind kind) { return kind == first; });
  if (alike && is_number(first)) return first == Kind::Integer ? ElementKind::Integer : ElementKind::Float;
  const bool any_unknown = std::find(kinds.begin(), kinds.end(), Kind::Any) != kinds.end();
  const bool any_other = std::any_of(kinds.begin(), kinds.end(), [](Kind kind) { return has_known_tag(kind) && !is_number(kind); });
  if (any_unknown && !any_other) return {};
  return ElementKind::Any;
}

/// A new cell, as a pointer, with the header of a small object of that type.
ir::Value Lowering::allocate(ObjectType type, size_t size_bytes) {
  const auto size_class = static_cast<size_t>(size_class_of(size_bytes));
  const auto run =
      static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kRuns + size_class * sizeof(BumpRun));
  IrValue next = b_.load(IrType::Pointer, b_.at(b_.vm(), run + static_cast<int64_t>(offsetof(BumpRun, next))), Memory::Machine);
  IrValue end = b_.load(IrType::Pointer, b_.at(b_.vm(), run + static_cast<int64_t>(offsetof(BumpRun, end))), Memory::Machine);
  Block bumps = b_.make_block("bumps");
  Block refills = b_.make_block("refills");
  Block allocated = b_.make_block("allocated");
  IrValue cell = b_.add_parameter(allocated, IrType::Pointer);
  b_.set_likely(b_.branch(b_.ne(next, end), bumps, refills), true);
  b_.set_position(bumps);
  b_.store(b_.at(next, static_cast<int64_t>(kClassBytes[size_class])),
           b_.at(b_.vm(), run + static_cast<int64_t>(offsetof(BumpRun, next))), Memory::Machine);
  b_.jump(allocated, {next});
  b_.set_position(refills);
  IrValue other = b_.call(IrType::Pointer, b_.address_constant(runtime_.allocate),
                          {b_.vm(), b_.i32(static_cast<uint32_t>(type)), b_.word(size_bytes)});
  b_.jump(allocated, {other});
  b_.set_position(allocated);
  b_.store(b_.i32(static_cast<uint32_t>(type)), cell, Memory::Header);
  b_.store(b_.i32(0), b_.at(cell, offsetof(Object, type_word)), Memory::Header);
  return cell;
}

/// After R[a] was made.
void Lowering::safepoint_below() {
  where_collection_is_due([&] {
    IrValue outcome = runtime_call_behind(runtime_.safepoint_below);
    registers_.forget_tables();
    check_outcome(outcome);
    exit_at(walk_.pc + 1, ExitSite::Why::Collector);
  });
}

bool Lowering::lower_new_table(const Instruction& in) {
  if (registers_.is_captured(walk_.slot_of(in.ra()))) return lower_by_runtime();
  if (replace_table(in)) return true;
  const uint32_t room = std::min<uint32_t>(in.c, kMaxInlineSlots);
  IrValue table = make_table(input_.empty_shape, nullptr, room, in.b);
  write(in.ra(), {.kind = Kind::Table, .payload = b_.pointer_to_integer(table)});
  registers_.fact(walk_.slot_of(in.ra())).shape = input_.empty_shape;
  registers_.fact(walk_.slot_of(in.ra())).new_slots = static_cast<uint8_t>(room);
  safepoint_below();
  return true;
}

/// A table without elements, of which so many are expected, as a pointer. No safepoint.
ir::Value Lowering::make_table(const Shape* shape, const Table* metatable, uint32_t room, int elements) {
  IrValue table = allocate(ObjectType::Table, sizeof(Table) + room * sizeof(Value));
  const auto set = [&](size_t offset, IrValue value) {
    b_.store(value, b_.at(table, static_cast<int64_t>(offset)), Memory::Header);
  };
  IrValue null = b_.null();
  set(offsetof(Table, shape), b_.address_constant(shape));
  set(offsetof(Table, slots), room == 0 ? null : b_.at(table, sizeof(Table)));
  set(offsetof(Table, elements), null);
  set(offsetof(Table, element_capacity), b_.i32(static_cast<uint32_t>(elements)));
  set(offsetof(Table, slot_capacity), b_.i32(room));
  set(offsetof(Table, hash), null);
  set(offsetof(Table, instance_shape), null);
  set(offsetof(Table, own_metatable), metatable == nullptr ? null : b_.address_constant(metatable));
  return table;
}

/// The positional part of a small constructor: the elements of a new table, in one go.
bool Lowering::lower_set_list(const Instruction& in) {
  const bool is_open = in.b == 0;
  if (is_open && walk_.state.open_end == kNoFrameSlot) return exit_at(walk_.pc), false;
  const int count = is_open ? walk_.state.open_end - walk_.slot_of(in.ra() + 1) : in.b;
  if (set_replaced_list(in, count)) return true;
  Operand table = read(in.ra());
  if (count == 0 || count > kMaxInlineElements || in.imm != 0 || table.kind != Kind::Table) return lower_by_runtime();
  std::vector<Operand> values;
  for (int i = 0; i < count; ++i) values.push_back(read(in.ra() + 1 + i));
  while (!values.empty() && values.back().kind == Kind::Nil) values.pop_back();  // at the end they are no elements
  if (values.empty()) return walk_.state.open_end = kNoFrameSlot, true;
  std::vector<Kind> kinds;
  for (const Operand& value : values) kinds.push_back(value.kind);
  const std::optional<ElementKind> kind = element_kind_of(kinds);
  if (!kind) return lower_by_runtime();
  prefer_slow_path();
  IrValue object = b_.pointer(table);
  IrValue marking = b_.load(IrType::I8, b_.at(b_.vm(), static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kMarking)),
                            Memory::Machine);
  guard(b_.eq(marking, b_.i8(0)));
  guard(b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header)));
  guard(b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, hash)), Memory::Header)));
  guard(b_.ule(b_.load(IrType::I32, b_.at(object, offsetof(Table, element_capacity)), Memory::Header), b_.i32(static_cast<uint32_t>(count))));
  guard_not_nil(values.back());
  make_elements(object, *kind, values);
  if (!registers_.is_captured(table.slot)) registers_.fact(table.slot).elements = static_cast<uint8_t>(*kind);
  walk_.state.open_end = kNoFrameSlot;
  safepoint_below();
  return true;
}

/// Of a table without elements and hash part: these are its elements. No safepoint.
void Lowering::make_elements(IrValue table, ElementKind kind, const std::vector<Operand>& values) {
  const bool typed = kind != ElementKind::Any;
  const size_t element_bytes = typed ? sizeof(int64_t) : sizeof(Value);
  IrValue storage = allocate(typed ? ObjectType::Bytes : ObjectType::Values, sizeof(Object) + values.size() * element_bytes);
  IrValue elements = b_.at(storage, sizeof(Object));
  for (size_t i = 0; i < values.size(); ++i) {
    const Operand& value = values[i];
    IrValue place = b_.at(elements, static_cast<int64_t>(i * element_bytes));
    if (typed) {
      b_.store(value.payload, place, kind == ElementKind::Float ? Memory::Floats : Memory::Integers);
      continue;
    }
    b_.store(b_.payload_bits(value), place, Memory::Values);
    b_.store(b_.tag_value(value), b_.at(place, offsetof(Value, tag)), Memory::Values);
  }
  const auto count = b_.i32(static_cast<uint32_t>(values.size()));
  b_.store(elements, b_.at(table, offsetof(Table, elements)), Memory::Header);
  b_.store(count, b_.at(table, offsetof(Table, element_capacity)), Memory::Header);
  b_.store(count, b_.at(table, offsetof(Table, type_word)), Memory::Header);
  b_.store(b_.i8(static_cast<uint8_t>(kind)), b_.at(table, offsetof(Table, type_byte)), Memory::Header);
}

}  // namespace mangata::jit
