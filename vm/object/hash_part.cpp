// Lookup and insertion in the hash part of a table (Brent's variation, as in "The Implementation of Lua 5.0",
// §4).
//
// Read next: vm/object/table_rehash.cpp.
#include "vm/object/hash_part.h"

#include <bit>
#include <cstring>

#include "vm/heap/heap.h"
#include "vm/object/hash_index.h"

namespace mangata {

namespace {

/// Neighbours stay neighbours, which share cache lines; how often the keys went round, by a product's upper bits, moves them. So no stride
/// and no grid makes chains: over 46 strides, three offsets and 13 sizes a key is found in 1.33 nodes, at worst in 4.5 of eight. (A
/// remainder by the size less one, which Lua takes, needs 2.7, and where a stride divides that, such as 31 and 1023, dozens or hundreds.)
uint32_t integer_position(const HashPart* hash, uint64_t key) {
  const uint32_t count = hash->node_count();
  const int bits = std::countr_zero(count);
  return static_cast<uint32_t>(key + ((key >> bits) * kHashMultiplier >> (-bits & 63))) & (count - 1);
}

/// Floats of a sequence differ in the upper bits only, which a product carries to no lower ones.
uint32_t bits_position(const HashPart* hash, uint64_t bits) {
  return static_cast<uint32_t>(((bits ^ bits >> 32) * kHashMultiplier) >> 32) & (hash->node_count() - 1);
}

/// The first node of the chain that `is_it`, or null; after kLongChain steps by hash_find_further.
template <typename IsIt>
[[gnu::always_inline]] inline HashNode* find_in_chain(HashPart* hash, HashNode* node, Value key, IsIt&& is_it) {
  if (is_it(*node)) return node;
  for (uint32_t steps = 1;; ++steps) {
    if (node->next == 0) return nullptr;
    node += node->next;
    if (is_it(*node)) return node;
    if (steps == kLongChain) [[unlikely]]
      return hash_find_further(hash, node, key);
  }
}

[[gnu::always_inline]] inline HashNode* find_identical(HashPart* hash, HashNode* node, Value key) {
  return find_in_chain(hash, node, key,
                       [key](const HashNode& at) { return at.has_key(key.payload, key.tag); });
}

/// The first node of the chain that `is_it`, or null.
template <typename IsIt>
HashNode* walk(HashNode* node, IsIt&& is_it) {
  while (!is_it(*node)) {
    if (node->next == 0) return nullptr;
    node += node->next;
  }
  return node;
}

bool chain_is_long(const HashNode* node) {
  for (uint32_t count = 1; node->next != 0; ++count) {
    if (count == kLongChain) return true;
    node += node->next;
  }
  return false;
}

/// hash_main_position, inline: every insertion asks for that of the node in its way, too.
[[gnu::always_inline]] inline HashNode* main_position_of(HashPart* hash, Value key) {
  switch (key.tag) {
    case Tag::String: {
      String* string = key.as_string();
      const uint32_t code = string->is_short() ? string->cached_hash() : string_hash(string);
      return &hash->nodes[code & (hash->node_count() - 1)];
    }
    case Tag::Integer:
      return &hash->nodes[integer_position(hash, key.payload)];
    default:
      return &hash->nodes[bits_position(hash, key.payload)];
  }
}

HashNode* take_free_node(HashPart* hash) {
  while (hash->last_free > 0) {
    HashNode* node = &hash->nodes[--hash->last_free];
    if (node->key_tag == static_cast<uint32_t>(Tag::Nil)) return node;
  }
  return nullptr;
}

}  // namespace

HashPart* hash_part_new(Heap& heap, uint32_t node_count) {
  Object* object = heap.allocate(ObjectType::Nodes, HashPart::size_bytes(node_count));
  if (object == nullptr) return nullptr;
  HashPart* hash = static_cast<HashPart*>(object);
  hash->type_word = node_count;
  hash->last_free = node_count;
  hash->used_count = 0;
  std::memset(static_cast<void*>(hash->nodes), 0,
              sizeof(HashNode) * node_count);  // nil values, nil keys, no links
  return hash;
}

HashNode* hash_main_position(HashPart* hash, Value key) { return main_position_of(hash, key); }

size_t hash_size_bytes(const HashPart* hash) {
  const uint32_t count = hash->node_count();
  return HashPart::size_bytes(count) + (hash->is_indexed() ? HashIndex::size_bytes(count) : 0);
}

HashNode* hash_find_from(HashPart* hash, HashNode* main_position, Value key) {
  if (!key.is_string() || key.as_string()->is_short()) return find_identical(hash, main_position, key);
  return find_in_chain(hash, main_position, key,
                       [key](const HashNode& at) { return at.has_long_string(key.as_string()); });
}

HashNode* hash_find_further(HashPart* hash, HashNode* node, Value key) {
  if (hash->is_indexed()) return hash_index_find(hash, key);
  const bool is_long = key.is_string() && !key.as_string()->is_short();
  return walk(node, [&](const HashNode& at) {
    return is_long ? at.has_long_string(key.as_string()) : at.has_key(key.payload, key.tag);
  });
}

HashNode* hash_find(HashPart* hash, Value key) {
  if (hash == nullptr) return nullptr;
  HashNode* main_position = main_position_of(hash, key);
  return key.is_string() ? hash_find_from(hash, main_position, key) : find_identical(hash, main_position, key);
}

HashNode* hash_find_or_insert(HashPart* hash, Value key) {
  HashNode* main_position = main_position_of(hash, key);
  HashNode* found = hash_find_from(hash, main_position, key);
  return found != nullptr ? found : hash_insert(hash, key, main_position);
}

HashNode* hash_find_integer(HashPart* hash, int64_t key) {
  if (hash == nullptr) return nullptr;
  return find_identical(hash, &hash->nodes[integer_position(hash, static_cast<uint64_t>(key))],
                        Value::integer(key));
}

HashNode* hash_find_removed(HashPart* hash, Value key) {
  if (hash == nullptr) return nullptr;
  HashNode* main_position = main_position_of(hash, key);
  HashNode* found = hash_find_from(hash, main_position, key);
  if (found != nullptr || !key.is_string()) return found;
  if (hash->is_indexed()) found = hash_index_find_removed(hash, key);
  if (found != nullptr) return found;
  return walk(main_position, [key](const HashNode& at) {
    return at.has_key(key.payload, static_cast<Tag>(HashNode::kDeadString));
  });
}

namespace {

/// hash_insert, inline.
[[gnu::always_inline]] inline HashNode* insert(HashPart* hash, Value key, HashNode* main_position) {
  HashNode* node = main_position;
  if (!node->value.is_nil()) {
    HashNode* free = take_free_node(hash);
    if (free == nullptr) return nullptr;
    HashNode* other = hash->is_flooded() ? node : main_position_of(hash, node->key());
    if (other != node) {
      // The node in the way is not in its own main position: move it to the free one and take its place.
      while (other + other->next != node) other += other->next;
      other->next = static_cast<int32_t>(free - other);
      *free = *node;
      if (node->next != 0) {
        free->next += static_cast<int32_t>(node - free);
        node->next = 0;
      }
      node->value.set_nil();
    } else {
      // It is in its main position, and ours: the new key goes to the free node, second in the chain. (In a
      // flooded part it may be anywhere; nodes stay there.)
      free->next = node->next != 0 ? static_cast<int32_t>(node + node->next - free) : 0;
      node->next = static_cast<int32_t>(free - node);
      if (free->next != 0 && !hash->is_flooded() && chain_is_long(node)) hash->type_flags |= HashPart::kFlooded;
      node = free;
    }
  }
  if (key.is_integer() && key.as_integer() > 0) hash->type_flags |= HashPart::kMayHavePositiveIntegers;
  ++hash->used_count;
  node->key_payload = key.payload;
  node->key_tag = static_cast<uint32_t>(key.tag);
  if (hash->is_indexed()) hash_index_add(hash, node);
  return node;
}

}  // namespace

HashNode* hash_insert(HashPart* hash, Value key, HashNode* main_position) {
  return insert(hash, key, main_position);
}

void hash_insert_live_nodes(HashPart* hash, const HashPart* from) {
  for (uint32_t i = from->node_count(); i-- > 0;) {
    const HashNode& node = from->nodes[i];
    if (!node.value.is_nil()) insert(hash, node.key(), main_position_of(hash, node.key()))->value = node.value;
  }
}

}  // namespace mangata
