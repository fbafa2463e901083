// What happens on an inline-cache miss: the general access, and a lesson for the cache.
//
// Read next: vm/interpreter/inline_cache.h (the invariants).
#include "vm/interpreter/inline_cache.h"

#include "vm/operations/index.h"
#include "vm/operations/operations.h"

namespace mangata {

namespace {

/// A site that met this many other shapes than the one it knew goes to the shared cache from then on.
constexpr uint8_t kMaxMisses = 8;
/// Longer chains of __index are not cached.
constexpr int kMaxChain = 8;

/// Whether the cache may be filled for receivers of `shape`.
bool may_learn(InlineCache& cache, const Shape* shape) {
  if (cache.kind == InlineCache::kMegamorphic) return false;
  if (cache.shape == nullptr || cache.shape == shape) return true;
  if (++cache.miss_count < kMaxMisses) return true;
  cache.kind = InlineCache::kMegamorphic;
  cache.shape = nullptr;
  cache.new_shape = nullptr;
  cache.holder = nullptr;
  return false;
}

/// A walk along a chain of __index tables, with the tables that its outcome relies on.
struct ChainWalk {
  Vm& vm;
  const Table* intermediates[kMaxChain];
  Table* metatables[kMaxChain];
  int intermediate_count = 0;
  int metatable_count = 0;

  explicit ChainWalk(Vm& machine) : vm(machine) {}

  /// The __index of tables with this metatable.
  Value step(Table* metatable) {
    metatables[metatable_count++] = metatable;
    return find_metamethod(vm, metatable, Metamethod::Index);
  }
  /// From now on changes to those tables move the epoch of that root on.
  void watch(Shape* root) {
    for (int i = 0; i < metatable_count; ++i) {
      metatables[i]->type_flags |= kUsedAsMetatable;
      if (metatables[i] != root->common_metatable) vm.metatable_classes.depend(metatables[i], root);
    }
    for (int i = 0; i < intermediate_count; ++i) {
      const_cast<Table*>(intermediates[i])->type_flags |= kIndexIntermediate;
      vm.metatable_classes.depend(intermediates[i], root);
    }
  }
};

/// The __index of all tables with that root, which is not stale; a safepoint never.
Value index_of(ChainWalk* walk, const Shape* root) {
  if (root->common_metatable != nullptr) return walk->step(root->common_metatable);
  if (root->metatable_class == nullptr || root->metatable_class->lacks(Metamethod::Index)) return Value::nil();
  Table* index = root->metatable_class->index();
  return index == nullptr ? Value::boolean(false) : Value::table(index);  // a function, or something stranger
}

/// Looks for `key` beyond tables of `shape`, which lack it. True: the cache was filled, and *out is the result.
bool learn_chain(Vm& vm, Shape* shape, String* key, InlineCache& cache, Value* out) {
  ChainWalk walk(vm);
  InlineCache found;
  found.shape = shape;
  found.miss_count = cache.miss_count;
  found.kind = InlineCache::kAbsent;
  *out = Value::nil();
  for (Value handler = index_of(&walk, shape->root); !handler.is_nil();) {
    if (!handler.is_table() || walk.intermediate_count == kMaxChain) return false;
    Table* next = handler.as_table();
    if (next->shape->is_dictionary) {
      HashNode* node = next->hash == nullptr ? nullptr : hash_find_short_string(next->hash, key);
      if (node == nullptr || node->value.is_nil()) return false;
      found.kind = InlineCache::kMetatableDictionary;
      found.holder = next;
      found.slot = static_cast<uint32_t>(node - next->hash->nodes);
      *out = node->value;
      break;
    }
    const uint32_t slot = shape_find(next->shape, key);
    if (slot != kNoSlot) {
      if (next->slots[slot].is_nil()) return false;
      found.kind = InlineCache::kMetatable;
      found.holder = next;
      found.holder_shape = next->shape;
      found.slot = slot;
      *out = next->slots[slot];
      break;
    }
    walk.intermediates[walk.intermediate_count++] = next;
    if (next->metatable() == nullptr) break;
    if (walk.metatable_count == kMaxChain) return false;
    handler = walk.step(next->metatable());
  }
  walk.watch(shape->root);
  found.epoch = shape->root->epoch;
  cache = found;
  return true;
}

/// The epoch up to which tables with that root find nothing under `key` beyond themselves; 0: they do, or who knows.
uint32_t epoch_of_absence(Vm& vm, Shape* shape, String* key) {
  InlineCache beyond;
  Value found;
  const bool is_absent = learn_chain(vm, shape, key, beyond, &found) && beyond.kind == InlineCache::kAbsent;
  return is_absent ? beyond.epoch : 0;
}

/// Looks for `key` in `table`. True: the cache was filled, and *out is the result.
bool learn_get(Vm& vm, Table* table, String* key, InlineCache& cache, Value* out) {
  Shape* shape = table->shape;
  if (!may_learn(cache, shape)) return false;
  InlineCache found;
  found.shape = shape;
  found.miss_count = cache.miss_count;
  if (shape->is_dictionary) {
    HashNode* node = table->hash == nullptr ? nullptr : hash_find_short_string(table->hash, key);
    if (node == nullptr || node->value.is_nil()) return false;
    found.kind = InlineCache::kDictionary;
    found.slot = static_cast<uint32_t>(node - table->hash->nodes);
    *out = node->value;
    cache = found;
    return true;
  }
  const uint32_t slot = shape_find(shape, key);
  if (slot == kNoSlot) return learn_chain(vm, shape, key, cache, out);
  if (table->slots[slot].is_nil() && shape->has_metatable) {
    found.epoch = epoch_of_absence(vm, shape, key);
    if (found.epoch == 0) return false;
  }
  found.kind = InlineCache::kOwn;
  found.slot = slot;
  *out = table->slots[slot];
  cache = found;
  return true;
}

bool lacks_newindex(Vm& vm, const Table* table) {
  Table* metatable = table->metatable();
  return metatable == nullptr || find_metamethod(vm, metatable, Metamethod::NewIndex).is_nil();
}

/// Stores where no metamethod can be involved and teaches the cache. The table's root is not stale.
Status learn_set(Vm& vm, Table* table, String* key, Value value, InlineCache& cache) {
  Shape* shape = table->shape;
  const uint8_t flags = table->type_flags;
  TRY(table_set_string(vm, table, key, value));
  if (key->is_metamethod_name() && (flags != 0 || table->shape == shape)) return {};
  if (!may_learn(cache, shape)) return {};
  InlineCache found;
  found.shape = shape;
  found.miss_count = cache.miss_count;
  if (shape->is_dictionary) {
    const HashNode* node = table->hash == nullptr ? nullptr : hash_find_short_string(table->hash, key);
    if (node == nullptr) return {};
    found.kind = InlineCache::kDictionary;
    found.slot = static_cast<uint32_t>(node - table->hash->nodes);
  } else if (table->shape == shape) {
    found.slot = shape_find(shape, key);
    if (found.slot == kNoSlot) return {};  // a store of nil to an absent key
    found.kind = InlineCache::kOwn;
  } else {
    if (table->shape->is_dictionary) return {};
    found.kind = InlineCache::kAdd;
    found.new_shape = table->shape;
    found.slot = shape->slot_count;
    found.epoch = shape->root->epoch;
    if (shape->common_metatable != nullptr) shape->common_metatable->type_flags |= kUsedAsMetatable;
  }
  cache = found;
  return {};
}

using SharedSets = SharedPropertyCache::Set (SharedPropertyCache::*)[SharedPropertyCache::kSetCount];

/// The entry of the shared cache for a site that sees many shapes; empty when it is new.
InlineCache& shared_cache(Vm& vm, SharedSets sets, const Shape* shape, const String* key) {
  if (!vm.property_cache) vm.property_cache = std::make_unique<SharedPropertyCache>();
  SharedPropertyCache::Set& set = (vm.property_cache.get()->*sets)[SharedPropertyCache::position(shape, key)];
  if (InlineCache* known = set.find(shape, key)) return *known;
  set.entries[1] = set.entries[0];
  set.entries[0] = {.key = key, .cache = {}};
  return set.entries[0].cache;
}

}  // namespace

bool learn_get_of_shape(Vm& vm, Shape* shape, String* key, InlineCache* cache) {
  *cache = {};
  if (shape->is_dictionary || shape->root->is_stale) return false;
  const uint32_t slot = shape_find(shape, key);
  if (slot == kNoSlot) {
    Value found;
    return learn_chain(vm, shape, key, *cache, &found);
  }
  cache->kind = InlineCache::kOwn;
  cache->shape = shape;
  cache->slot = slot;
  if (shape->has_metatable) cache->epoch = epoch_of_absence(vm, shape, key);
  return true;
}

Result<Value> cached_get_miss(Vm& vm, Value object, String* key, InlineCache& first, InlineCache* second) {
  Value result;
  if (object.is_table()) {
    Table* table = object.as_table();
    table_renew_shape(vm, table);
    InlineCache& cache = cache_for(first, second, table->shape);
    if (&cache == second && cache_get(table, cache, key, &result)) return result;
    if (cache.kind == InlineCache::kMegamorphic) {
      InlineCache& shared = shared_cache(vm, &SharedPropertyCache::gets, table->shape, key);
      if (cache_get(table, shared, key, &result) || learn_get(vm, table, key, shared, &result)) return result;
    } else if (learn_get(vm, table, key, cache, &result)) {
      return result;
    }
  } else if (object.is_string()) {
    if (cache_get_of_string(vm, first, key, &result)) return result;
    Table* metatable = vm.metatable_of(object);
    if (metatable != nullptr && !find_metamethod(vm, metatable, Metamethod::Index).is_nil()) {
      Shape* shape = shape_own_root(vm, metatable);
      if (may_learn(first, shape) && learn_chain(vm, shape, key, first, &result)) return result;
    }
  }
  return get_index(vm, object, Value::string(key));
}

Status cached_set_miss(Vm& vm, Value object, String* key, Value value, InlineCache& first, InlineCache* second) {
  if (object.is_table()) {
    Table* table = object.as_table();
    table_renew_shape(vm, table);
    InlineCache& cache = cache_for(first, second, table->shape);
    if (&cache == second && cache_set(vm, table, cache, key, value)) return {};
    InlineCache* known = &cache;
    if (cache.kind == InlineCache::kAdd && cache.shape == table->shape && cache.slot >= table->slot_capacity) {
      TRY(table_make_slot(vm, table, cache.new_shape));  // the cache is right, only the slot is missing
      if (cache_set(vm, table, cache, key, value)) return {};
    }
    if (cache.kind == InlineCache::kMegamorphic) {
      known = &shared_cache(vm, &SharedPropertyCache::sets, table->shape, key);
      if (cache_set(vm, table, *known, key, value)) return {};
    }
    if (!table_get_short_string(table, key).is_nil() || lacks_newindex(vm, table)) {
      return learn_set(vm, table, key, value, *known);
    }
  }
  return set_index_with(vm, object, Value::string(key), value, /*computed=*/false);
}

}  // namespace mangata
