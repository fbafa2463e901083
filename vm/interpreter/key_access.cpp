#include "vm/interpreter/key_access.h"

#include <cmath>

#include "vm/interpreter/inline_cache.h"
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"
#include "vm/operations/index.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// The slot of a name in tables of this shape, which is no dictionary's; what was found is noted.
uint32_t find_slot(Vm& vm, SharedSets sets, Shape* shape, const String* key) {
  const InlineCache* known = find_shared(vm, sets, shape, key);
  if (known != nullptr && known->kind == InlineCache::kOwn) return known->slot;
  const uint32_t slot = shape_find(shape, key);
  if (slot == kNoSlot || known != nullptr) return slot;
  InlineCache* cache = find_or_insert_shared(vm, sets, shape, key);
  if (cache == nullptr) return slot;
  cache->kind = InlineCache::kOwn;
  cache->shape = shape;
  cache->slot = slot;
  return slot;
}

/// Where the value of a name is; null: nowhere.
[[gnu::always_inline]] inline Value* place_of_name(Vm& vm, SharedSets sets, Table* table, const String* key) {
  if (table->shape->is_dictionary) {
    HashNode* node = table->hash == nullptr ? nullptr : hash_find_short_string(table->hash, key);
    return node == nullptr ? nullptr : &node->value;
  }
  const uint32_t slot = find_slot(vm, sets, table->shape, key);
  return slot == kNoSlot ? nullptr : table->slots + slot;
}

/// What the shared cache knows, of what __index leads to as well.
bool get_as_noted(const Vm& vm, Table* table, const String* key, Value* out) {
  if (table->shape->is_dictionary) return false;
  const InlineCache* known = find_shared(vm, &SharedPropertyCache::gets, table->shape, key);
  return known != nullptr && cache_get(table, *known, key, out);
}

bool may_index(const Table* table) {
  const Table* metatable = table->metatable();
  return metatable != nullptr && (metatable->type_flags & kNoIndex) == 0;
}

/// What is absent is for the metatable to say, if it may.
Value found_or_not_loaded(const Table* table, const Value& found) {
  return found.is_nil() && may_index(table) ? Value(0, static_cast<Tag>(kNotLoaded)) : found;
}

bool is_name(const Value& key) { return key.is_string() && key.as_string()->is_short(); }

bool is_inside(const Table* table, const Value& key) {
  return key.is_integer() && static_cast<uint64_t>(key.as_integer()) - 1 < table->array_size();
}

}  // namespace

Value load_key(Vm* vm, Table* table, uint64_t key_payload, uint64_t key_tag) {
  Value key(key_payload, static_cast<Tag>(key_tag));
  Value found = Value::nil();
  if (is_name(key)) {
    if (get_as_noted(*vm, table, key.as_string(), &found)) return found;
    const Value* place = place_of_name(*vm, &SharedPropertyCache::gets, table, key.as_string());
    if (place != nullptr) found = *place;
  } else {
    key = normalized_key(key);
    if (is_inside(table, key)) {
      found = table->element(static_cast<uint32_t>(key.as_integer() - 1));
    } else if (key.is_string()) {
      const HashNode* node = find_long_string(*vm, table, key.as_string());
      if (node != nullptr) found = node->value;
      if (!found.is_nil() || !may_index(table)) charge_comparison(*vm, node, key.as_string());
    } else if (const HashNode* node = hash_find(table->hash, key)) {
      found = node->value;
    }
  }
  return found_or_not_loaded(table, found);
}

Value load_integer_key(Table* table, int64_t key) {
  Value found = Value::nil();
  const uint64_t index = static_cast<uint64_t>(key) - 1;
  if (index < table->array_size()) {
    found = table->element(static_cast<uint32_t>(index));
  } else if (const HashNode* node = hash_find_integer(table->hash, key)) {
    found = node->value;
  }
  return found_or_not_loaded(table, found);
}

namespace {

/// A node whose value is nil may take another at once: its key needs no mark, nobody asks __newindex, and it is not the next element.
/// Of the key nil it finds a node that is empty: to store there is an error.
bool may_come_back(const Vm& vm, const Table* table, const Value& key) {
  return !vm.heap.marking() && table->metatable() == nullptr && !key.is_integer() && !key.is_nil();
}

/// replace_at_key, inline.
[[gnu::always_inline]] inline bool replace(Vm& vm, Table* table, Value key, Value value) {
  Value* place = nullptr;
  bool is_node = true;
  if (is_name(key)) {
    if (key.as_string()->is_metamethod_name()) return false;
    place = place_of_name(vm, &SharedPropertyCache::sets, table, key.as_string());
    is_node = table->shape->is_dictionary;
  } else {
    key = normalized_key(key);
    if (is_inside(table, key)) return false;
    const bool is_long = key.is_string() && key.as_string()->length >= kLongKeyBytes;
    HashNode* node = is_long ? find_long_string(vm, table, key.as_string()) : hash_find(table->hash, key);
    if (node == nullptr || (is_long && node->value.is_nil())) return false;
    if (is_long) charge_comparison(vm, node, key.as_string());
    place = &node->value;
  }
  if (place == nullptr) return false;
  if (place->is_nil() && !(is_node && may_come_back(vm, table, key))) return false;
  *place = value;
  vm.heap.write_barrier(table, value);
  return true;
}

}  // namespace

bool replace_at_key(Vm& vm, Table* table, Value key, Value value) { return replace(vm, table, key, value); }

bool store_key(Vm* vm, Table* table, uint64_t key_payload, uint64_t key_tag, uint64_t payload, uint64_t tag) {
  const Value value(payload, static_cast<Tag>(tag));
  if (replace(*vm, table, Value(key_payload, static_cast<Tag>(key_tag)), value)) [[likely]]
    return true;
  if (!table_lacks_newindex(table)) return false;
  const Value key = normalized_key(Value(key_payload, static_cast<Tag>(key_tag)));
  if (key.is_string()) {
    charge_stored_key(*vm, table, key.as_string());
    return table_set_string(*vm, table, key.as_string(), value, /*computed=*/true).ok();
  }
  if (key.is_integer()) return table_set_integer(*vm, table, key.as_integer(), value).ok();
  const bool is_key = !key.is_nil() && !(key.is_float() && std::isnan(key.as_float()));
  return is_key && hash_store(*vm, table, key, value).ok();
}

bool store_integer_key(Vm* vm, Table* table, int64_t key, uint64_t payload, uint64_t tag) {
  HashNode* node = static_cast<uint64_t>(key) - 1 < table->array_size() ? nullptr : hash_find_integer(table->hash, key);
  if (node == nullptr || node->value.is_nil()) [[unlikely]]
    return store_key(vm, table, static_cast<uint64_t>(key), static_cast<uint64_t>(Tag::Integer), payload, tag);
  node->value = Value(payload, static_cast<Tag>(tag));
  vm->heap.write_barrier(table, node->value);
  return true;
}

}  // namespace mangata
