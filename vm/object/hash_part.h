// The hash part of a table: chained scatter with Brent's variation, 32 bytes a node.
//
// [DESIGN] Every key is in the chain that starts at its main position; a colliding node that is not in its
// own main position gives way to the key that is. Removing a key only sets its value to nil: the node keeps
// its place in the chain and its key, so that a traversal can go on from a removed key. Such a dead key may
// be an object that the collector has freed: it is compared by address, never dereferenced. The address of a
// freed string may be that of another one, whose hash, and chain, are others: so when the collector meets a
// dead string, the node lets go of it, and only traversals find it from then on. (Other objects are hashed by
// their address.) When no free node is left the table is rehashed, which drops dead nodes. The functions here
// know nothing of the table around the hash part; keys are normalised by their callers (a float with an
// integer value is an integer).
//
// A part in which a chain has become long, because somebody chose the keys so, is flooded: hash_index.h.
//
// Read next: vm/object/table_rehash.cpp.
#pragma once

#include <cstddef>

#include "vm/object/hash_key.h"
#include "vm/object/object.h"
#include "vm/object/string.h"
#include "vm/value/value.h"

namespace mangata {

class Heap;

struct HashNode {
  Value value;  ///< nil: a dead or free node
  uint64_t key_payload;  ///< as Value::payload
  uint32_t key_tag;  ///< Tag, or kDeadString; Nil for a node never used. A dead key keeps its payload for
                     ///< `next`, but is never dereferenced
  int32_t next;  ///< distance in nodes to the next of the chain; 0 at its end

  Value key() const { return {key_payload, static_cast<Tag>(key_tag)}; }
  /// By identity: short strings are interned, long ones must be compared.
  bool has_key(uint64_t payload, Tag tag) const {
    return key_payload == payload && key_tag == static_cast<uint32_t>(tag);
  }
  /// Long strings are equal by content, but the key of a dead node may only be compared by address.
  bool has_long_string(const String* string) const {
    if (has_key(reinterpret_cast<uint64_t>(string), Tag::String)) return true;
    return key_tag == static_cast<uint32_t>(Tag::String) && !value.is_nil() &&
           strings_equal(key().as_string(), string);
  }
  static constexpr uint32_t kDeadString = 7;  ///< no Tag
  /// For the collector, which is about to free the string unless somebody else has it. Precondition: the
  /// value is nil.
  void let_go() {
    if (key_tag == static_cast<uint32_t>(Tag::String)) key_tag = kDeadString;
  }
  /// Makes a dead node unfindable: its key now lives elsewhere in the table. The chain stays intact.
  void bury() {
    value.set_nil();
    key_tag = static_cast<uint32_t>(Tag::Frame);
  }
};
static_assert(sizeof(HashNode) == 32);

struct HashPart : Object {
  enum HashFlag : uint8_t {
    kMayHavePositiveIntegers = 1,  ///< type_flags; while clear, appending elements need not look here
    kFlooded = 2,                  ///< a chain is longer than kLongChain
    kIndexed = 4,                  ///< a HashIndex stands behind the nodes
  };
  // type_word: node count, a power of two. type_flags: HashFlag
  uint32_t last_free;   ///< all nodes at and above this are taken
  uint32_t used_count;  ///< nodes that have, or had, a key
  HashNode nodes[1];

  uint32_t node_count() const { return type_word; }
  bool may_have_positive_integers() const { return (type_flags & kMayHavePositiveIntegers) != 0; }
  bool is_flooded() const { return (type_flags & kFlooded) != 0; }
  bool is_indexed() const { return (type_flags & kIndexed) != 0; }
  bool lacks_index() const { return (type_flags & (kFlooded | kIndexed)) == kFlooded; }
  static size_t size_bytes(uint32_t node_count) {
    return offsetof(HashPart, nodes) + sizeof(HashNode) * node_count;
  }
};

/// Keys that nobody has chosen do not make chains of so many nodes.
inline constexpr uint32_t kLongChain = 32;

/// The bytes of a part, with those of the index that it may have.
size_t hash_size_bytes(const HashPart* hash);

/// A hash part of free nodes; null when the heap refuses. Precondition: node_count is a power of two.
HashPart* hash_part_new(Heap& heap, uint32_t node_count);

/// The nodes of keys, dead or alive; null when there is none. `hash` may be null except in the short-string
/// form.
HashNode* hash_find(HashPart* hash, Value key);
HashNode* hash_find_integer(HashPart* hash, int64_t key);
/// hash_find, also for a string that was removed before the last collection.
HashNode* hash_find_removed(HashPart* hash, Value key);

/// hash_find, of a key that was not found in the first nodes of the chain; `node` is the next of them.
HashNode* hash_find_further(HashPart* hash, HashNode* node, Value key);

inline HashNode* hash_find_short_string(HashPart* hash, const String* key) {
  HashNode* node = &hash->nodes[key->cached_hash() & (hash->node_count() - 1)];
  for (uint32_t steps = 1; !node->has_key(reinterpret_cast<uint64_t>(key), Tag::String); ++steps) {
    if (node->next == 0) return nullptr;
    node += node->next;
    if (steps == kLongChain) [[unlikely]]
      return hash_find_further(hash, node, Value(reinterpret_cast<uint64_t>(key), Tag::String));
  }
  return node;
}

/// Where the chain of `key` starts.
HashNode* hash_main_position(HashPart* hash, Value key);
/// hash_find, from the main position on.
HashNode* hash_find_from(HashPart* hash, HashNode* main_position, Value key);

/// The node of `key`, or a new one, as by hash_insert.
HashNode* hash_find_or_insert(HashPart* hash, Value key);

/// A node for `key`, which must have none, with a nil value to be replaced at once; null when no node is
/// free. The part may lack an index afterwards, which table_index_hash gives it.
HashNode* hash_insert(HashPart* hash, Value key, HashNode* main_position);

/// The keys and values of the nodes of `from` that are alive. Preconditions: `hash` has none of the keys, and free nodes for all.
void hash_insert_live_nodes(HashPart* hash, const HashPart* from);

}  // namespace mangata
