// The index of a flooded hash part; see hash_index.h.
#include "vm/object/hash_index.h"

#include <cstring>

#include "vm/heap/heap.h"
#include "vm/object/short_bytes.h"

namespace mangata {

namespace {

HashIndex* index_of(HashPart* hash) { return reinterpret_cast<HashIndex*>(&hash->nodes[hash->node_count()]); }

bool is_long_string(Value key) { return key.is_string() && !key.as_string()->is_short(); }

/// Long strings are equal by content; all else is what its payload is.
uint32_t keyed_hash(const HashKey& key, Value of) {
  if (is_long_string(of)) return hash_bytes(of.as_string()->data, of.as_string()->length, key);
  const uint64_t state = mix_bits(key.offset ^ of.payload, key.factor);
  return static_cast<uint32_t>(mix_bits(state ^ static_cast<uint32_t>(of.tag), key.factor) >> 16);
}

/// Calls `is_it` with the nodes that may have `key` until it says yes.
template <typename IsIt>
HashNode* probe(HashPart* hash, Value key, IsIt&& is_it) {
  const HashIndex* index = index_of(hash);
  const uint32_t mask = HashIndex::capacity(hash->node_count()) - 1;
  for (uint32_t i = keyed_hash(index->key, key) & mask; index->entries[i] != 0; i = (i + 1) & mask) {
    HashNode* node = &hash->nodes[index->entries[i] - 1];
    if (is_it(*node)) return node;
  }
  return nullptr;
}

void place(HashPart* hash, uint32_t node) {
  HashIndex* index = index_of(hash);
  const uint32_t mask = HashIndex::capacity(hash->node_count()) - 1;
  uint32_t i = keyed_hash(index->key, hash->nodes[node].key()) & mask;
  while (index->entries[i] != 0) i = (i + 1) & mask;
  index->entries[i] = node + 1;
  ++index->entry_count;
}

/// Whether a node has a key that can be hashed: what the collector let go of may be gone.
bool has_hashable_key(const HashNode& node) {
  return node.key_tag != static_cast<uint32_t>(Tag::Nil) &&
         node.key_tag != static_cast<uint32_t>(Tag::Frame) && node.key_tag != HashNode::kDeadString;
}

void fill(HashPart* hash) {
  HashIndex* index = index_of(hash);
  index->entry_count = 0;
  std::memset(index->entries, 0, sizeof(uint32_t) * HashIndex::capacity(hash->node_count()));
  for (uint32_t i = 0; i < hash->node_count(); ++i) {
    if (has_hashable_key(hash->nodes[i])) place(hash, i);
  }
}

}  // namespace

HashPart* hash_part_with_index(Heap& heap, const HashPart* flooded) {
  const uint32_t node_count = flooded->node_count();
  Object* object =
      heap.allocate(ObjectType::Nodes, HashPart::size_bytes(node_count) + HashIndex::size_bytes(node_count));
  if (object == nullptr) return nullptr;
  HashPart* hash = static_cast<HashPart*>(object);
  hash->type_flags = flooded->type_flags | HashPart::kIndexed;
  hash->type_word = node_count;
  hash->last_free = flooded->last_free;
  hash->used_count = flooded->used_count;
  std::memcpy(static_cast<void*>(hash->nodes), flooded->nodes, sizeof(HashNode) * node_count);
  index_of(hash)->key = random_hash_key();
  fill(hash);
  return hash;
}

HashNode* hash_index_find(HashPart* hash, Value key) {
  if (!is_long_string(key)) {
    return probe(hash, key, [&](const HashNode& node) { return node.has_key(key.payload, key.tag); });
  }
  return probe(hash, key, [&](const HashNode& node) { return node.has_long_string(key.as_string()); });
}

HashNode* hash_index_find_removed(HashPart* hash, Value key) {
  return probe(hash, key, [&](const HashNode& node) {
    return node.has_key(key.payload, static_cast<Tag>(HashNode::kDeadString));
  });
}

void hash_index_add(HashPart* hash, const HashNode* node) {
  if (index_of(hash)->entry_count >= HashIndex::capacity(hash->node_count()) / 4 * 3) {
    fill(hash);  // has the node
  } else {
    place(hash, static_cast<uint32_t>(node - hash->nodes));
  }
}

}  // namespace mangata
