// The fast paths of table access, inlined into interpreter handlers and library loops.
//
// A function that returns false has done nothing: the caller takes the general way
// (vm/operations/operations.h, or vm/object/table.h where metamethods do not count). None is a safepoint,
// none allocates.
//
// Read next: vm/interpreter/inline_cache.h.
#pragma once

#include "vm/heap/heap.h"
#include "vm/object/hash_part.h"
#include "vm/object/table.h"
#include "vm/vm.h"

namespace mangata {

/// table[key] for an element; false outside the elements, and for a hole of a table with a metatable.
[[gnu::always_inline]] inline bool table_get_element(const Table* table, int64_t key, Value* out) {
  const uint64_t index = static_cast<uint64_t>(key) - 1;
  if (index >= table->array_size()) return false;
  switch (table->element_kind()) {
    case ElementKind::Integer:
      *out = Value::integer(table->integers()[index]);
      return true;
    case ElementKind::Float:
      *out = Value::number(table->floats()[index]);
      return true;
    default: {
      const Value value = table->values()[index];
      if (value.is_nil() && table->metatable() != nullptr) return false;
      *out = value;
      return true;
    }
  }
}

/// Whether a store of a new key may skip the search for __newindex.
[[gnu::always_inline]] inline bool table_lacks_newindex(const Table* table) {
  const Table* metatable = table->metatable();
  return metatable == nullptr || (metatable->type_flags & kNoNewIndex) != 0;
}

/// Whether a store at array_size+1 is a plain append: room, no followers in the hash part, no __newindex.
[[gnu::always_inline]] inline bool table_can_append(const Table* table) {
  return table->array_size() < table->element_capacity &&
         (table->hash == nullptr || !table->hash->may_have_positive_integers()) &&
         table_lacks_newindex(table);
}

/// table[key] = value for an existing element, or an append with room to spare; not for nil.
[[gnu::always_inline]] inline bool table_set_element(Vm& vm, Table* table, int64_t key, Value value) {
  const uint64_t index = static_cast<uint64_t>(key) - 1;
  const uint32_t size = table->array_size();
  if (index < size) {
    switch (table->element_kind()) {
      case ElementKind::Integer:
        if (!value.is_integer()) return false;
        table->integers()[index] = value.as_integer();
        return true;
      case ElementKind::Float:
        if (!value.is_float()) return false;
        table->floats()[index] = value.as_float();
        return true;
      default: {
        Value& element = table->values()[index];
        // Without a metatable, the old value need not be looked at: in a large array it is a cache miss.
        if (value.is_nil() || (table->metatable() != nullptr && element.is_nil() && !table_lacks_newindex(table))) {
          return false;
        }
        element = value;
        vm.heap.write_barrier(table, value);
        return true;
      }
    }
  }
  if (index != size || !table_can_append(table)) return false;
  switch (table->element_kind()) {
    case ElementKind::Integer:
      if (!value.is_integer()) return false;
      table->integers()[index] = value.as_integer();
      break;
    case ElementKind::Float:
      if (!value.is_float()) return false;
      table->floats()[index] = value.as_float();
      break;
    case ElementKind::Any:
      if (value.is_nil()) return false;
      table->values()[index] = value;
      vm.heap.write_barrier(table, value);
      break;
    default:
      return false;
  }
  table->type_word = size + 1;
  return true;
}

/// Stores into a property slot that the table's shape has.
[[gnu::always_inline]] inline void table_store_slot(Heap& heap, Table* table, uint32_t slot, Value value) {
  table->slots[slot] = value;
  heap.write_barrier(table, value);
}

/// The short-string property `key`, raw; nil when absent.
[[gnu::always_inline]] inline Value table_get_short_string(Table* table, const String* key) {
  Shape* shape = table->shape;
  if (!shape->is_dictionary) {
    const uint32_t slot = shape_find(shape, key);
    return slot == kNoSlot ? Value::nil() : table->slots[slot];
  }
  if (table->hash == nullptr) return Value::nil();
  const HashNode* node = hash_find_short_string(table->hash, key);
  return node == nullptr ? Value::nil() : node->value;
}

}  // namespace mangata
