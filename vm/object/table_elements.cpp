// The elements of a table: kinds, widening, growth, holes.
//
// Growth doubles the capacity. When an Any array that is full turns out to be mostly holes (a queue whose
// head was cleared), the table is rehashed instead, so that its memory stays in proportion to what it holds.
//
// Read next: vm/object/table_rehash.cpp.
#include <algorithm>
#include <bit>

#include "vm/heap/heap.h"
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata {

namespace {

constexpr uint32_t kFirstCapacity = 4;
constexpr uint32_t kSmallestSparseSize =
    16;  ///< fuller arrays than this are examined for holes before they grow

bool fits(ElementKind kind, Value value) { return kind == ElementKind::Any || kind == kind_of(value); }

uint32_t rounded_capacity(uint64_t wanted) {
  return static_cast<uint32_t>(std::bit_ceil(std::max<uint64_t>(wanted, kFirstCapacity)));
}

/// Whether at most half of the elements are in use.
bool is_sparse(const Table* table) {
  const uint32_t size = table->array_size();
  if (table->element_kind() != ElementKind::Any || size < kSmallestSparseSize) return false;
  uint32_t used_count = 0;
  for (uint32_t i = 0; i < size; ++i) {
    used_count += !table->values()[i].is_nil();
    if (used_count > size / 2) return false;
  }
  return true;
}

/// Precondition: fits(kind, value), index < capacity.
void put(Vm& vm, Table* table, uint32_t index, Value value) {
  switch (table->element_kind()) {
    case ElementKind::Integer:
      table->integers()[index] = value.as_integer();
      return;
    case ElementKind::Float:
      table->floats()[index] = value.as_float();
      return;
    default:
      table->values()[index] = value;
      vm.heap.write_barrier(table, value);
  }
}

/// Makes sure that `value` can be put at `index`: storage, capacity and kind.
Status make_room(Vm& vm, Table* table, uint32_t index, Value value, bool with_holes) {
  const bool has_storage = table->elements != nullptr;
  ElementKind kind = kind_of(value);
  if (with_holes) {
    kind = ElementKind::Any;
  } else if (has_storage && !fits(table->element_kind(), value)) {
    // Empty storage for numbers can change between the two kinds of numbers in place.
    if (table->array_size() == 0 && kind != ElementKind::Any) {
      table->type_byte = static_cast<uint8_t>(kind);
    } else {
      kind = ElementKind::Any;
    }
  } else if (has_storage) {
    kind = table->element_kind();
  }
  const bool has_room = has_storage && index < table->element_capacity;
  if (has_room && kind == table->element_kind()) return {};
  uint32_t capacity = table->element_capacity;
  if (!has_room) {
    const uint64_t wanted = static_cast<uint64_t>(index) + 1;
    if (has_storage || capacity < wanted) capacity = rounded_capacity(wanted);
  }
  return elements_resize(vm, table, kind, capacity);
}

/// Long arrays, whose memory the system can extend.
bool elements_grow(Vm& vm, Table* table, size_t storage_bytes) {
  Object* const old_storage = table_elements_storage(table);
  if (old_storage == nullptr) return false;
  Object* const storage = vm.heap.grow_storage(old_storage, storage_bytes);
  if (storage == nullptr) return false;
  table->elements = storage + 1;
  vm.heap.write_barrier(table, storage);
  return true;
}

}  // namespace

Status elements_resize(Vm& vm, Table* table, ElementKind kind, uint32_t capacity) {
  if (capacity > kMaxElements) return raise_out_of_memory(vm);
  const bool is_any = kind == ElementKind::Any;
  const size_t storage_bytes = sizeof(Object) + static_cast<size_t>(capacity) * (is_any ? sizeof(Value) : sizeof(int64_t));
  if (kind == table->element_kind() && elements_grow(vm, table, storage_bytes)) {
    table->element_capacity = capacity;
    return {};
  }
  Object* storage = vm.heap.allocate(is_any ? ObjectType::Values : ObjectType::Bytes, storage_bytes);
  if (storage == nullptr) return raise_out_of_memory(vm);
  void* payload = storage + 1;
  const uint32_t size = table->array_size();
  if (kind == table->element_kind() && size > 0) {
    std::memcpy(payload, table->elements, size * (is_any ? sizeof(Value) : sizeof(int64_t)));
  } else {
    for (uint32_t i = 0; i < size; ++i) static_cast<Value*>(payload)[i] = table->element(i);
  }
  Object* old_storage = table_elements_storage(table);
  table->elements = payload;
  table->element_capacity = capacity;
  table->type_byte = static_cast<uint8_t>(kind);
  vm.heap.write_barrier(table, storage);
  if (old_storage != nullptr) vm.heap.free_storage(old_storage);
  return {};
}

void table_shrink_after_clearing(Table* table) {
  if (table->element_kind() != ElementKind::Any) return;
  uint32_t size = table->array_size();
  while (size > 0 && table->values()[size - 1].is_nil()) --size;
  table->type_word = size;
}

Status elements_store(Vm& vm, Table* table, uint32_t index, Value value) {
  if (value.is_nil() && index == table->array_size() - 1) {
    table->type_word = index;
    table_shrink_after_clearing(table);
    return {};
  }
  if (!fits(table->element_kind(), value)) {
    TRY(elements_resize(vm, table, ElementKind::Any, table->element_capacity));
  }
  put(vm, table, index, value);
  return {};
}

Status elements_store_beyond(Vm& vm, Table* table, uint32_t index, Value value) {
  const uint32_t size = table->array_size();
  TRY(make_room(vm, table, index, value, index > size));
  for (uint32_t i = size; i < index; ++i) table->values()[i] = Value::nil();
  put(vm, table, index, value);
  table->type_word = index + 1;
  return {};
}

Status elements_pull_followers(Vm& vm, Table* table) {
  while (table->hash != nullptr && table->hash->may_have_positive_integers()) {
    const uint32_t size = table->array_size();
    HashNode* node = hash_find_integer(table->hash, static_cast<int64_t>(size) + 1);
    if (node == nullptr) return {};
    if (node->value.is_nil()) {
      node->bury();
      return {};
    }
    TRY(elements_store_beyond(vm, table, size, node->value));
    node->bury();
  }
  return {};
}

Status table_append(Vm& vm, Table* table, Value value) {
  const uint32_t size = table->array_size();
  if (size >= table->element_capacity && is_sparse(table)) {
    return table_rehash(vm, table, Value::integer(static_cast<int64_t>(size) + 1), value);
  }
  TRY(elements_store_beyond(vm, table, size, value));
  return elements_pull_followers(vm, table);
}

Status table_reserve(Vm& vm, Table* table, uint32_t element_count, uint32_t slot_count) {
  if (element_count > table->element_capacity) {
    if (table->elements == nullptr) {
      table->element_capacity = element_count;
    } else {
      TRY(elements_resize(vm, table, table->element_kind(), element_count));
    }
  }
  if (slot_count > table->slot_capacity && !table->shape->is_dictionary)
    TRY(slots_resize(vm, table, slot_count));
  return {};
}

namespace {

/// The elements of a table that has none yet, in one go. Precondition: the last value is not nil.
Status set_first_elements(Vm& vm, Table* table, const Value* values, uint32_t count) {
  ElementKind kind = kind_of(values[0]);
  for (uint32_t i = 1; i < count && kind != ElementKind::Any; ++i) {
    if (!fits(kind, values[i])) kind = ElementKind::Any;
  }
  TRY(elements_resize(vm, table, kind, std::max(table->element_capacity, count)));
  if (kind == ElementKind::Any) {
    std::copy_n(values, count, table->values());
    if (vm.heap.marking()) {
      for (uint32_t i = 0; i < count; ++i) vm.heap.write_barrier(table, values[i]);
    }
  } else {
    // Integers and floats alike: their payloads are the elements.
    for (uint32_t i = 0; i < count; ++i) static_cast<uint64_t*>(table->elements)[i] = values[i].payload;
  }
  table->type_word = count;
  return {};
}

}  // namespace

Status table_set_list(Vm& vm, Table* table, int64_t first_index, const Value* values, uint32_t count) {
  if (table->elements == nullptr && table->hash == nullptr && first_index == 1) {
    while (count > 0 && values[count - 1].is_nil()) --count;
    return count == 0 ? Status{} : set_first_elements(vm, table, values, count);
  }
  const uint64_t expected_size = static_cast<uint64_t>(first_index) - 1 + count;
  if (table->elements == nullptr && expected_size > table->element_capacity &&
      expected_size <= kMaxElements) {
    table->element_capacity = static_cast<uint32_t>(expected_size);
  }
  const bool hash_has_elements = table->hash != nullptr && table->hash->may_have_positive_integers();
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t key = first_index + i;
    if (table_set_element(vm, table, key, values[i])) continue;
    if (!values[i].is_nil() && !hash_has_elements && key > table->array_size() && key <= kMaxElements) {
      TRY(elements_store_beyond(vm, table, static_cast<uint32_t>(key - 1), values[i]));
    } else {
      TRY(table_set_integer(vm, table, key, values[i]));
    }
  }
  return {};
}

}  // namespace mangata
