// What the table*.cpp files share with each other, and nobody else includes.
//
// table.cpp            creation, lookup, length, size
// table_store.cpp      stores: which part a key belongs to, shape transitions, dictionary mode
// table_elements.cpp   the elements: kinds, widening, growth
// table_rehash.cpp     the hash part is full, or the elements are sparse: counting keys and moving them
// table_iterate.cpp    next
// table_clear.cpp      all keys are removed
#pragma once

#include "vm/object/hash_part.h"
#include "vm/object/table.h"

namespace mangata {

/// Larger arrays are refused as "not enough memory".
inline constexpr uint32_t kMaxElements = 1u << 30;

/// A float key with an exact integer value as that integer; any other key unchanged.
inline Value normalized_key(Value key) {
  if (!key.is_float()) return key;
  const double d = key.as_float();
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) return key;
  const int64_t i = static_cast<int64_t>(d);
  return static_cast<double>(i) == d ? Value::integer(i) : key;
}

inline ElementKind kind_of(Value value) {
  return value.is_integer() ? ElementKind::Integer : value.is_float() ? ElementKind::Float
                                                                      : ElementKind::Any;
}

// --- table_elements.cpp
/// Moves the elements to new storage of another kind or capacity (at least array_size). Typed elements may
/// only become Any.
Status elements_resize(Vm& vm, Table* table, ElementKind kind, uint32_t capacity);
/// Stores any value, nil included, at `index` < array_size.
Status elements_store(Vm& vm, Table* table, uint32_t index, Value value);
/// Stores a value, not nil, at `index` >= array_size; what lies between becomes holes. No key up to index + 1
/// is in the hash part.
Status elements_store_beyond(Vm& vm, Table* table, uint32_t index, Value value);
/// The key array_size+1 and its followers move from the hash part to the elements.
Status elements_pull_followers(Vm& vm, Table* table);

// --- table_store.cpp
/// Moves the property slots to storage outside the table. Precondition: capacity >= slots in use.
Status slots_resize(Vm& vm, Table* table, uint32_t capacity);
/// Stores a normalised key that does not belong to the elements or slots.
Status hash_store(Vm& vm, Table* table, Value key, Value value);

// --- table_rehash.cpp
/// There is no room for `key` (normalised, absent): finds the best sizes of elements and hash part for all
/// keys, and stores it.
Status table_rehash(Vm& vm, Table* table, Value key, Value value);
/// Gives the hash part, which is flooded, an index.
Status table_index_hash(Vm& vm, Table* table);
/// Moves all properties to the hash part, with room for one more key.
Status table_become_dictionary(Vm& vm, Table* table);

}  // namespace mangata
