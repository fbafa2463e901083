// Indexing with metamethods, the part that only inline caches and libraries with constant keys need.
//
// Read next: vm/operations/index.cpp.
#pragma once

#include "vm/object/hash_part.h"
#include "vm/vm.h"

namespace mangata {

/// set_index where the caller knows whether the key stands in the program text (see table_set_string). A
/// safepoint.
Status set_index_with(Vm& vm, Value object, Value key, Value value, bool computed);

// Long strings as keys: fuel for the bytes that are hashed, and for those that are compared with the key that is found. Each way to a
// value takes the same, whichever tier goes it.

/// Of shorter keys, what they cost is nothing beside a store.
inline constexpr size_t kLongKeyBytes = 1024;

/// hash_find of a long string; the hash is paid for, by the first who needs it.
HashNode* find_long_string(Vm& vm, Table* table, String* key);
/// For what find_long_string had to compare; `node` is what it found.
void charge_comparison(Vm& vm, const HashNode* node, const String* key);
/// Before a store by a string that need not have a value yet.
void charge_stored_key(Vm& vm, Table* table, String* key);

}  // namespace mangata
