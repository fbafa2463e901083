// Stores: which part of the table a key belongs to, shape transitions, and what caches must be told.
//
// Read next: vm/object/table_elements.cpp, vm/object/table_rehash.cpp.
#include <algorithm>

#include "vm/heap/heap.h"
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"
#include "vm/operations/operations.h"
#include "vm/vm.h"

namespace mangata {

namespace {

constexpr uint8_t kAbsenceBits = kNoIndex | kNoNewIndex | kNoEqual | kNoLength | kNoGc | kNoMode;
constexpr uint32_t kFirstSlotCapacity = 4;
constexpr uint32_t kMaxExpectedSlots = 12;

/// A "__" key of the table is about to change: forget what it was known to lack.
void note_metamethod_store(Vm& vm, Table* table) {
  table->type_flags &= static_cast<uint8_t>(~kAbsenceBits);
  if ((table->type_flags & kUsedAsMetatable) != 0) vm.metatable_classes.metamethods_change(vm, table);
}

/// The table is about to get a new string key, which caches may rely on to be absent.
void note_new_key(Vm& vm, Table* table) {
  if ((table->type_flags & kIndexIntermediate) == 0) return;
  table->type_flags &= static_cast<uint8_t>(~kIndexIntermediate);
  vm.metatable_classes.changes(table);
}

/// [DESIGN] A nil gets a slot where there is one: in a table that a constructor made with room for it, as in {value = v, next = nil}. So
/// objects made by one piece of code have one shape, whichever of their fields are nil at first. Without a metatable nobody can tell.
bool nil_gets_slot(const Table* table, const String* key, bool computed) {
  return !computed && table->shape->slot_count < table->slot_capacity && table->metatable() == nullptr && !key->is_metamethod_name();
}

/// Adds property `key`, absent from the shape.
Status add_property(Vm& vm, Table* table, String* key, Value value) {
  const uint32_t slot = table->shape->slot_count;
  Shape* shape = shape_add(vm, table->shape, key);
  if (slot >= table->slot_capacity) TRY(table_make_slot(vm, table, shape));
  table->shape = shape;
  vm.heap.write_barrier(table, shape);
  table_store_slot(vm.heap, table, slot, value);
  return {};
}

}  // namespace

Status table_make_slot(Vm& vm, Table* table, const Shape* shape) {
  // Tables built by the same code end up with the same shape: its lineage tells how many slots this one will
  // need.
  const uint32_t slot_count = shape->slot_count;
  uint32_t capacity = shape_expected_slots(shape, std::max(kMaxExpectedSlots, slot_count));
  if (capacity == slot_count) capacity = slot_count == 1 ? kFirstSlotCapacity : 2 * (slot_count - 1);
  return slots_resize(vm, table, capacity);
}

Status slots_resize(Vm& vm, Table* table, uint32_t capacity) {
  Object* storage = vm.heap.allocate(ObjectType::Values, sizeof(Object) + capacity * sizeof(Value));
  if (storage == nullptr) return raise_out_of_memory(vm);
  Value* slots = reinterpret_cast<Value*>(storage + 1);
  std::copy_n(table->slots, table->shape->slot_count, slots);
  Object* old_storage = table_slots_storage(table);
  table->slots = slots;
  table->slot_capacity = capacity;
  vm.heap.write_barrier(table, storage);
  if (old_storage != nullptr) vm.heap.free_storage(old_storage);
  return {};
}

Status hash_store(Vm& vm, Table* table, Value key, Value value) {
  HashPart* hash = table->hash;
  HashNode* node = nullptr;
  if (hash != nullptr) {
    node = value.is_nil() ? hash_find(hash, key) : hash_find_or_insert(hash, key);
    if (hash->lacks_index()) [[unlikely]] {
      TRY(table_index_hash(vm, table));
      return hash_store(vm, table, key, value);  // the key has a node now
    }
  }
  if (node == nullptr) return value.is_nil() ? Status{} : table_rehash(vm, table, key, value);
  // A node may come back to life: its key must be marked as well as its value.
  if (node->value.is_nil()) vm.heap.write_barrier(table, node->key());
  node->value = value;
  vm.heap.write_barrier(table, value);
  return {};
}

Status table_set_integer(Vm& vm, Table* table, int64_t key, Value value) {
  const uint64_t index = static_cast<uint64_t>(key) - 1;
  const uint32_t size = table->array_size();
  if (index < size) return elements_store(vm, table, static_cast<uint32_t>(index), value);
  if (index == size && !value.is_nil()) {
    if (table->hash != nullptr && table->hash->may_have_positive_integers()) {
      HashNode* node = hash_find_integer(table->hash, key);
      if (node != nullptr) node->bury();
    }
    return table_append(vm, table, value);
  }
  return hash_store(vm, table, Value::integer(key), value);
}

Status table_set_string(Vm& vm, Table* table, String* key, Value value, bool computed) {
  if (!key->is_short()) return hash_store(vm, table, Value::string(key), value);
  if (key->is_metamethod_name()) [[unlikely]]
    note_metamethod_store(vm, table);
  Shape* shape = table->shape;
  if (!shape->is_dictionary) {
    const uint32_t slot = shape_find(shape, key);
    if (slot != kNoSlot) {
      table_store_slot(vm.heap, table, slot, value);
      return {};
    }
    if (value.is_nil() && (!nil_gets_slot(table, key, computed) || shape_refuses(shape, key, computed))) return {};
    note_new_key(vm, table);
    if (!shape_refuses(shape, key, computed)) return add_property(vm, table, key, value);
    TRY(table_become_dictionary(vm, table));
  }
  return hash_store(vm, table, Value::string(key), value);
}

Status table_set(Vm& vm, Table* table, Value key, Value value) {
  if (key.is_string()) return table_set_string(vm, table, key.as_string(), value, /*computed=*/true);
  key = normalized_key(key);
  if (key.is_integer()) return table_set_integer(vm, table, key.as_integer(), value);
  return hash_store(vm, table, key, value);
}

}  // namespace mangata
