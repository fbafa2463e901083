// The hash part of a table: chained scatter with Brent's variation, 32 bytes a node.
#pragma once

#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct HashNode {
  Value value;           ///< nil: a dead or free node
  uint64_t key_payload;
  uint32_t key_tag;      ///< Tag; Nil for a node never used. A dead key keeps its payload for `next`, but is never dereferenced
  int32_t next;          ///< distance in nodes to the next of the chain; 0 at its end

  Value key() const { return {key_payload, static_cast<Tag>(key_tag)}; }
};
static_assert(sizeof(HashNode) == 32);

struct HashPart : Object {
  // type_word: node count, a power of two
  uint32_t last_free;  ///< all nodes at and above this are taken
  uint32_t used_count; ///< upper bound of live nodes
  HashNode nodes[1];

  uint32_t node_count() const { return type_word; }
};

}  // namespace mangata
