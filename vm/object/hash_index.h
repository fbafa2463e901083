// The index of a flooded hash part: where a key is, found by a hash with a random key.
//
// [DESIGN] Whoever knows how keys are placed can choose many with one main position, and each of n such keys
// would cost n steps. Two things keep that bounded. The intern table, whose order nobody sees, takes a hash
// with a random key when its probes become long (string_table.h). A hash part, whose order `pairs` shows,
// keeps the places: its chains stay as long as they are, and a lookup that has gone kLongChain steps in vain
// asks this index, which stands behind the nodes. So the order of a traversal is the same in every run,
// attacked or not, and code that follows chains on its own is right, only slow.
//
// In a flooded part no node moves: a new key goes to a free node, behind the one in its main position,
// whichever chain that is in; looking for the predecessor of a node in a long chain would be what an attack
// is after. The chain from the main position of a key still leads to it.
//
// Entries name nodes, with linear probing, and are never removed: a node that has another key by now does not
// match. When they are too many they are made anew from the nodes. A rehash begins without an index.
#pragma once

#include <cstdint>

#include "vm/object/hash_key.h"
#include "vm/object/hash_part.h"
#include "vm/value/value.h"

namespace mangata {

struct HashIndex {
  HashKey key;
  uint32_t entry_count;  ///< at most three quarters of the capacity
  uint32_t entries[1];   ///< 1 + node; 0: free

  static uint32_t capacity(uint32_t node_count) { return 2 * node_count; }
  static size_t size_bytes(uint32_t node_count) {
    return offsetof(HashIndex, entries) + sizeof(uint32_t) * capacity(node_count);
  }
};

/// A copy of a flooded part that has an index; null when the heap refuses.
HashPart* hash_part_with_index(Heap& heap, const HashPart* flooded);

/// The node of `key`, dead or alive; null when there is none. Precondition: the part has an index.
HashNode* hash_index_find(HashPart* hash, Value key);
/// The node that let go of `key`, a string; null when there is none, or the index does not know it any more.
HashNode* hash_index_find_removed(HashPart* hash, Value key);

/// Tells the index that `node` has got a key.
void hash_index_add(HashPart* hash, const HashNode* node);

}  // namespace mangata
