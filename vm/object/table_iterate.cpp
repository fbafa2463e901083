// Traversal (Lua 5.4 manual §6.1 next): elements, then properties, then the hash part.
//
// A cursor is a section in its two highest bits and a position in it, so that it stays good when elements are
// removed during the traversal. Everything is checked against the table as it is now: a program that adds
// keys during the traversal may see any order, but never harm.
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"

namespace mangata {

namespace {

constexpr uint32_t kPropertySection = 1u << 30;
constexpr uint32_t kHashSection = 2u << 30;
constexpr uint32_t kPositionMask = (1u << 30) - 1;
constexpr uint32_t kAbsent = UINT32_MAX;

uint32_t cursor_after_node(const Table* table, const HashNode* node) {
  if (node == nullptr) return kAbsent;
  return kHashSection | static_cast<uint32_t>(node - table->hash->nodes + 1);
}

}  // namespace

uint32_t table_step(const Table* table, uint32_t position, Value* key, Value* value) {
  if (position < kPropertySection) {
    for (; position < table->array_size(); ++position) {
      const Value element = table->element(position);
      if (element.is_nil()) continue;
      *key = Value::integer(static_cast<int64_t>(position) + 1);
      *value = element;
      return position + 1;
    }
    position = kPropertySection;
  }
  if (position < kHashSection) {
    const uint32_t slot_count = table->shape->slot_count;
    for (uint32_t slot = position & kPositionMask; slot < slot_count; ++slot) {
      const Value property = table->slots[slot];
      if (property.is_nil()) continue;
      *key = Value::string(shape_key_at(table->shape, slot));
      *value = property;
      return kPropertySection | (slot + 1);
    }
    position = kHashSection;
  }
  const uint32_t node_count = table->hash == nullptr ? 0 : table->hash->node_count();
  for (uint32_t i = position & kPositionMask; i < node_count; ++i) {
    const HashNode& node = table->hash->nodes[i];
    if (node.value.is_nil()) continue;
    *key = node.key();
    *value = node.value;
    return kHashSection | (i + 1);
  }
  return kTraversed;
}

bool table_iterate(Table* table, uint32_t* cursor, Value* key, Value* value) {
  const uint32_t next = table_step(table, *cursor, key, value);
  *cursor = next != kTraversed ? next : kHashSection | (table->hash == nullptr ? 0 : table->hash->node_count());
  return next != kTraversed;
}

/// A float is never a key of a traversal, not even one that is equal to an integer key: as in PUC Lua 5.4.8.
uint32_t table_cursor_after(Table* table, Value key) {
  if (key.is_nil()) return 0;
  if (key.is_integer()) {
    const uint64_t index = key.payload - 1;
    if (index < table->array_size()) return static_cast<uint32_t>(index + 1);
    const HashNode* node = hash_find_integer(table->hash, key.as_integer());
    if (node != nullptr) return cursor_after_node(table, node);
    return index < table->element_capacity ? static_cast<uint32_t>(index + 1) : kAbsent;
  }
  if (key.is_string() && key.as_string()->is_short() && !table->shape->is_dictionary) {
    const uint32_t slot = shape_find(table->shape, key.as_string());
    return slot == kNoSlot ? kAbsent : kPropertySection | (slot + 1);
  }
  return cursor_after_node(table, hash_find_removed(table->hash, key));
}

int table_next(Table* table, Value key, Value* next_key, Value* next_value) {
  uint32_t cursor = table_cursor_after(table, key);
  if (cursor == kAbsent) return -1;
  return table_iterate(table, &cursor, next_key, next_value) ? 1 : 0;
}

}  // namespace mangata
