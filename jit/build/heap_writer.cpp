#include "jit/build/heap_writer.h"

#include <algorithm>

namespace mangata::jit {

std::optional<ElementKind> element_kind_of(const std::vector<Kind>& kinds) {
  Kind number = Kind::Any;  // of those that are known
  for (const Kind kind : kinds) {
    if (!has_known_tag(kind)) continue;
    if (!is_number(kind) || (number != Kind::Any && kind != number)) return ElementKind::Any;
    number = kind;
  }
  if (!std::all_of(kinds.begin(), kinds.end(), has_known_tag)) return {};
  return number == Kind::Integer ? ElementKind::Integer : ElementKind::Float;
}

/// A new cell, as a pointer, with the header of a small object of that type.
IrValue HeapWriter::allocate(ObjectType type, size_t size_bytes) {
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

IrValue HeapWriter::make_table(const Shape* shape, const Table* metatable, uint32_t room, int elements) {
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

void HeapWriter::make_elements(IrValue table, ElementKind kind, const std::vector<Operand>& values) {
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
    b_.store_value(value, place, Memory::Values);
  }
  const auto count = b_.i32(static_cast<uint32_t>(values.size()));
  b_.store(elements, b_.at(table, offsetof(Table, elements)), Memory::Header);
  b_.store(count, b_.at(table, offsetof(Table, element_capacity)), Memory::Header);
  b_.store(count, b_.at(table, offsetof(Table, type_word)), Memory::Header);
  b_.store(b_.i8(static_cast<uint8_t>(kind)), b_.at(table, offsetof(Table, type_byte)), Memory::Header);
}

void HeapWriter::make_elements_of_unknown_kind(IrValue table, const std::vector<Operand>& values) {
  std::vector<Kind> numbers = {Kind::Integer, Kind::Float};
  for (const Operand& value : values) {
    if (has_known_tag(value.kind)) numbers = {value.kind};
  }
  Block done = b_.make_block("elements");
  for (const Kind number : numbers) {
    IrValue all = b_.boolean(true);
    for (const Operand& value : values) {
      if (!has_known_tag(value.kind)) all = b_.bit_and(all, b_.eq(value.tag, b_.word(static_cast<uint64_t>(tag_of(number)))));
    }
    Block typed = b_.make_block("typed");
    Block other = b_.make_block("other");
    b_.branch(all, typed, other);
    b_.set_position(typed);
    make_elements(table, number == Kind::Integer ? ElementKind::Integer : ElementKind::Float, values);
    b_.jump(done);
    b_.set_position(other);
  }
  make_elements(table, ElementKind::Any, values);
  b_.jump(done);
  b_.set_position(done);
}

void HeapWriter::barrier(IrValue owner, IrValue location, const Operand& value) {
  if (has_known_tag(value.kind) && tag_of(value.kind) < kFirstCollectableTag) return;
  barrier(owner, location, runtime_.barrier);
}

void HeapWriter::barrier(IrValue owner, IrValue location, const void* function) {
  IrValue marking =
      b_.load(IrType::I8, b_.at(b_.vm(), static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kMarking)),
              Memory::Machine);
  Block tells = b_.make_block("barrier");
  Block done = b_.make_block("stored");
  b_.set_likely(b_.branch(b_.eq(marking, b_.i8(0)), done, tells), true);
  b_.set_position(tells);
  b_.call(IrType::None, b_.address_constant(function), {b_.vm(), owner, location});
  b_.jump(done);
  b_.set_position(done);
}

}  // namespace mangata::jit
