// Inline caches of property access: the hit checks, inlined into handlers, and the functions called on a
// miss.
//
// [DESIGN] What a hit proves, and how each fact is kept true:
// - `table->shape == cache.shape`: which keys the table has, in which slots. Shapes are immutable.
// - What __index leads to, and that a new key calls no __newindex (kAdd): `cache.epoch == cache.shape->root->epoch`. Whatever
//   else was looked at to find out is registered with MetatableClasses (vm/object/metatable_class.h): metatables, which are
//   marked kUsedAsMetatable, and tables between receiver and holder, which lack the key and are marked kIndexIntermediate. A
//   store of a "__" key in the former, a new string key or another metatable of the latter moves the epochs on.
//   The holder's slot: `holder->shape == cache.holder_shape`, and the value is not nil.
// - That a property which is nil, in a table with a metatable, is nil altogether (kOwn): the epoch, too, where the cache has one.
// - That an access calls a function (kHandler): the table's shape lacks the key, and where in its metatable the function is,
//   metatable->shape says; so which function it is, is read at each access. Along __index tables the epoch says the rest.
// - That a store of a property that is nil may not call __newindex: the metatable is known to lack it (kNoNewIndex).
// Of stores of "__" keys only kAdd is cached, for tables that nothing is known or relied on of (no type_flags). Tables in dictionary mode never stand between receiver and
// holder. Strings (s:method()) use the empty shape of their common metatable as if it were theirs.
//
// Read next: vm/operations/index.cpp (the general way), vm/bytecode/proto.h (InlineCache).
#pragma once

#include <algorithm>
#include <bitset>
#include <iterator>

#include "vm/bytecode/proto.h"
#include "vm/object/table_inline.h"

namespace mangata {

/// The parts of a get that do not look at the receiver. Precondition: its shape is cache.shape.
[[gnu::always_inline]] inline bool cache_get_beyond_own(const InlineCache& cache, const String* key, Value* out) {
  if (cache.epoch != cache.shape->root->epoch) return false;
  if (cache.kind == InlineCache::kMetatable) {
    if (cache.holder->shape != cache.holder_shape) return false;
    const Value value = cache.holder->slots[cache.slot];
    if (value.is_nil()) return false;
    *out = value;
    return true;
  }
  if (cache.kind == InlineCache::kAbsent) {
    *out = Value::nil();
    return true;
  }
  if (cache.kind != InlineCache::kMetatableDictionary) return false;
  const HashPart* hash = cache.holder->hash;
  if (hash == nullptr || cache.slot >= hash->node_count()) return false;
  const HashNode& node = hash->nodes[cache.slot];
  if (!node.has_key(reinterpret_cast<uint64_t>(key), Tag::String) || node.value.is_nil()) return false;
  *out = node.value;
  return true;
}

/// The node of a kDictionary cache if it still holds `key` with a value, else null.
[[gnu::always_inline]] inline HashNode* cached_node(Table* table, const InlineCache& cache,
                                                    const String* key) {
  HashPart* hash = table->hash;
  if (hash == nullptr || cache.slot >= hash->node_count()) return nullptr;
  HashNode& node = hash->nodes[cache.slot];
  if (!node.has_key(reinterpret_cast<uint64_t>(key), Tag::String) || node.value.is_nil()) return nullptr;
  return &node;
}

/// table.key when the cache knows; false: call cached_get_miss.
[[gnu::always_inline]] inline bool cache_get(Table* table, const InlineCache& cache, const String* key, Value* out) {
  if (table->shape != cache.shape) return false;
  if (cache.kind == InlineCache::kOwn) [[likely]] {
    const Value value = table->slots[cache.slot];
    if (value.is_nil() && table->metatable() != nullptr && cache.epoch != cache.shape->root->epoch) return false;
    *out = value;
    return true;
  }
  if (cache.kind == InlineCache::kDictionary) {
    const HashNode* node = cached_node(table, cache, key);
    if (node == nullptr) return false;
    *out = node->value;
    return true;
  }
  return cache_get_beyond_own(cache, key, out);
}

/// The same for a string receiver, as in s:method().
[[gnu::always_inline]] inline bool cache_get_of_string(const Vm& vm, const InlineCache& cache,
                                                       const String* key, Value* out) {
  const Table* metatable = vm.type_metatables[static_cast<int>(Tag::String)];
  if (metatable == nullptr || cache.shape == nullptr || metatable->instance_shape != cache.shape)
    return false;
  return cache_get_beyond_own(cache, key, out);
}

/// table.key = value when the cache knows how; false: nothing was done, call cached_set_miss.
[[gnu::always_inline]] inline bool cache_set(Vm& vm, Table* table, const InlineCache& cache,
                                             const String* key, Value value) {
  if (table->shape != cache.shape) return false;
  if (cache.kind == InlineCache::kOwn) [[likely]] {
    if (table->slots[cache.slot].is_nil() && !table_lacks_newindex(table)) return false;
    table_store_slot(vm.heap, table, cache.slot, value);
    return true;
  }
  if (cache.kind == InlineCache::kAdd) {
    const uint8_t relied_on = key->is_metamethod_name() ? 0xff : kIndexIntermediate;
    if (cache.slot >= table->slot_capacity || (value.is_nil() && table->metatable() != nullptr) || cache.epoch != cache.shape->root->epoch ||
        (table->type_flags & relied_on) != 0) {
      return false;
    }
    table->shape = cache.new_shape;
    vm.heap.write_barrier(table, cache.new_shape);
    table_store_slot(vm.heap, table, cache.slot, value);
    return true;
  }
  if (cache.kind != InlineCache::kDictionary) return false;
  HashNode* node = cached_node(table, cache, key);
  if (node == nullptr) return false;
  node->value = value;
  vm.heap.write_barrier(table, value);
  return true;
}

/// The Lua function that an access to `table` calls, as a kHandler cache knows, and the table that is its first argument; null: it
/// does not know.
[[gnu::always_inline]] inline const Value* cache_handler(Table* table, const InlineCache& cache, Table** first_argument) {
  if (cache.kind != InlineCache::kHandler || table->shape != cache.shape) return nullptr;
  if (cache.holder != nullptr && cache.epoch != cache.shape->root->epoch) return nullptr;
  *first_argument = cache.holder != nullptr ? cache.holder : table;
  const Table* metatable = (*first_argument)->metatable();
  if (metatable == nullptr || metatable->shape != cache.holder_shape) return nullptr;
  const Value& handler = metatable->slots[cache.slot];
  return handler.is_lua_function() ? &handler : nullptr;
}

/// It knows nothing, or only of a shape that tables are losing: the first of many objects has one before its metatable's class has a root
/// (vm/object/metatable_class.h).
inline bool is_free(const InlineCache& cache) { return cache.kind == InlineCache::kEmpty || cache.shape->root->is_stale; }

/// The cache of a site that is about tables of `shape`, or may be: the first, unless that is about another and the second is free.
inline InlineCache& cache_for(InlineCache& first, InlineCache* second, const Shape* shape) {
  if (second == nullptr || first.shape == shape) return first;
  if (second->shape == shape) return *second;
  return is_free(first) || !is_free(*second) ? first : *second;
}

/// Fills the cache for gets of `key` from any table of `shape`; false: what they find is not the same for all, or a function is called
/// (kHandler).
bool learn_get_of_shape(Vm& vm, Shape* shape, String* key, InlineCache* cache);

/// The second level, shared by all sites that see many shapes: caches by shape and key, in sets of four, so that busy entries that fall
/// together do not evict each other: of a hundred, three fall together in every second program. Weak: at the end of each marking the
/// collector drops what knows of something dead. (Programs with a small heap have a thousand cycles in a second: emptied in each,
/// it was cleared, and learnt anew, for up to 2 % of what they execute.)
struct SharedPropertyCache {
  static constexpr size_t kSetCount = 256;  ///< of each of the two
  static constexpr size_t kSetSize = 4;     ///< entries that fall together
  struct Entry {
    const String* key = nullptr;  ///< of the access; null: nothing
    InlineCache cache;
  };
  struct Set {
    Entry entries[kSetSize];  ///< the newest first

    /// The cache of the key in tables of that shape; null: there is none.
    InlineCache* find(const Shape* shape, const String* key) {
      for (Entry& entry : entries) {
        if (entry.key == key && entry.cache.shape == shape) return &entry.cache;
      }
      return nullptr;
    }
    /// The cache of the key in tables of a shape that is not known yet, which knows nothing; the oldest gives way.
    InlineCache* insert(const String* key);
    /// Forgets the entries for which that holds; whether others are left.
    template <typename IsGone>
    bool drop_if(IsGone is_gone) {
      Entry* last = std::remove_if(std::begin(entries), std::end(entries),
                                   [&](const Entry& entry) { return entry.key == nullptr || is_gone(entry); });
      std::fill(last, std::end(entries), Entry{});
      return last != std::begin(entries);
    }
  };
  /// The caches of one kind of access.
  struct Sets {
    Set sets[kSetCount];
    std::bitset<kSetCount> used;  ///< those with an entry

    /// Forgets the entries for which that holds.
    template <typename IsGone>
    void drop_if(IsGone is_gone) {
      for (size_t i = used._Find_first(); i < kSetCount; i = used._Find_next(i)) used[i] = sets[i].drop_if(is_gone);
    }
  };
  Sets gets;  ///< of reads
  Sets sets;

  static constexpr uint64_t kHashFactor = kHashMultiplier;  ///< of the hash of shape and key
  static constexpr int kHashShift = 40;  ///< the set is told by the bits of the product from here on

  /// Compiled code computes it, too (jit/baseline/emit_fields.cpp).
  static size_t position(const Shape* shape, const String* key) {
    const uint64_t bits = reinterpret_cast<uint64_t>(shape) * 8 + reinterpret_cast<uint64_t>(key);
    return ((bits * kHashFactor) >> kHashShift) % kSetCount;
  }
};

/// Caches of the shared cache: for gets, or for sets.
using SharedSets = SharedPropertyCache::Sets SharedPropertyCache::*;

/// What it knows of the key in tables of that shape; null: nothing.
inline InlineCache* find_shared(const Vm& vm, SharedSets sets, const Shape* shape, const String* key) {
  if (vm.property_cache == nullptr) return nullptr;
  return (vm.property_cache.get()->*sets).sets[SharedPropertyCache::position(shape, key)].find(shape, key);
}
/// The same, to be filled where it knows nothing: then it is empty. Null: there is no memory.
InlineCache* find_or_insert_shared(Vm& vm, SharedSets sets, const Shape* shape, const String* key);

/// A get of `key` from the table calls a Lua function: teaches the site's caches, or that of all sites (first null).
void learn_index_handler(Vm& vm, Table* table, String* key, InlineCache* first, InlineCache* second);
/// Likewise of a store.
void learn_newindex_handler(Vm& vm, Table* table, String* key, InlineCache* first, InlineCache* second);

/// table.key as the shared cache knows or learns it; false: the metatable's __index is a function, or stranger. No safepoint.
bool get_shared(Vm& vm, Table* table, String* key, Value* out);
/// table.key = value likewise; false: nothing was done, for there is a __newindex, or no memory. The table may have a new shape.
bool set_shared(Vm& vm, Table* table, String* key, Value value);

/// object.key with metamethods; teaches the cache, or the second one (null: the site has none). A safepoint.
Result<Value> cached_get_miss(Vm& vm, Value object, String* key, InlineCache& cache, InlineCache* second = nullptr);

/// object.key = value with metamethods; likewise. A safepoint.
Status cached_set_miss(Vm& vm, Value object, String* key, Value value, InlineCache& cache, InlineCache* second = nullptr);

}  // namespace mangata
