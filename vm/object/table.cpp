// Tables: creation, raw lookup, length, metatable, size.
//
// Read next: vm/object/table_store.cpp.
#include "vm/object/table.h"

#include <algorithm>

#include "vm/heap/heap.h"
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"
#include "vm/vm.h"

namespace mangata {

static_assert(sizeof(Table) == 64, "a table with two inline slots fills a 96-byte cell");

Table* table_new(Vm& vm, uint32_t element_count, uint32_t slot_count) {
  slot_count = std::min(slot_count, kMaxInlineSlots);
  Object* object = vm.heap.allocate_small(ObjectType::Table, sizeof(Table) + slot_count * sizeof(Value));
  Table* table = static_cast<Table*>(object);
  table->shape = vm.empty_shape;
  table->slots = slot_count == 0 ? nullptr : reinterpret_cast<Value*>(table + 1);
  table->elements = nullptr;
  table->element_capacity =
      element_count;  // a wish as long as there is no storage: the first store knows the kind
  table->slot_capacity = slot_count;
  table->hash = nullptr;
  table->instance_shape = nullptr;
  table->own_metatable = nullptr;
  return table;
}

Value table_get_integer(Table* table, int64_t key) {
  const uint64_t index = static_cast<uint64_t>(key) - 1;
  if (index < table->array_size()) return table->element(static_cast<uint32_t>(index));
  const HashNode* node = hash_find_integer(table->hash, key);
  return node == nullptr ? Value::nil() : node->value;
}

Value table_get_string(Table* table, String* key) {
  if (key->is_short()) return table_get_short_string(table, key);
  const HashNode* node = hash_find(table->hash, Value::string(key));
  return node == nullptr ? Value::nil() : node->value;
}

Value table_get(Table* table, Value key) {
  switch (key.tag) {
    case Tag::String:
      return table_get_string(table, key.as_string());
    case Tag::Integer:
      return table_get_integer(table, key.as_integer());
    case Tag::Nil:
      return Value::nil();
    case Tag::Float:
      key = normalized_key(key);
      if (key.is_integer()) return table_get_integer(table, key.as_integer());
      break;
    default:
      break;
  }
  const HashNode* node = hash_find(table->hash, key);
  return node == nullptr ? Value::nil() : node->value;
}

int64_t table_length(Table* table) { return table->array_size(); }

void table_set_metatable(Vm& vm, Table* table, Table* metatable) {
  if (table->own_metatable == metatable) return;
  if ((table->type_flags & kIndexIntermediate) != 0) {
    table->type_flags &= static_cast<uint8_t>(~kIndexIntermediate);
    vm.metatable_classes.changes(table);
  }
  table->shape = shape_with_metatable(vm, table->shape, metatable);
  table->own_metatable = metatable;
  vm.heap.write_barrier(table, table->shape);
  vm.heap.write_barrier(table, metatable);
}

void table_renew_shape(Vm& vm, Table* table) {
  if (!table->shape->root->is_stale) return;
  table->shape = shape_with_metatable(vm, table->shape, table->own_metatable);
  vm.heap.write_barrier(table, table->shape);
}

size_t table_size_bytes(const Table* table) {
  size_t bytes = sizeof(Table);
  if (table_slots_are_inline(table)) bytes += sizeof(Value) * table->slot_capacity;
  if (table_slots_storage(table) != nullptr) bytes += table_slots_storage_bytes(table);
  if (table->elements != nullptr) bytes += table_elements_storage_bytes(table);
  if (table->hash != nullptr) bytes += hash_size_bytes(table->hash);
  return bytes;
}

}  // namespace mangata
