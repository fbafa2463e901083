// What happens on an inline-cache miss: the general access, and a lesson for the cache.
//
// Read next: vm/interpreter/inline_cache.h (the invariants).
#include "vm/interpreter/inline_cache.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "vm/operations/index.h"
#include "vm/operations/operations.h"

namespace mangata {

namespace {

/// Longer chains of __index are not cached.
constexpr int kMaxChain = 8;

/// Whether the cache may be filled for receivers of `shape`.
bool may_learn(InlineCache& cache, const Shape* shape) {
  if (cache.shape == shape) return true;
  if (is_free(cache)) return cache.miss_count = 0, true;
  if (!cache.is_full()) ++cache.miss_count;
  return !cache.is_full();
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

/// Where metatables like this one have the Lua function that is their metamethod; false: this one has none.
bool learn_handler(const Table* metatable, const String* event, InlineCache* cache) {
  if (metatable == nullptr || metatable->shape->is_dictionary) return false;
  const uint32_t slot = shape_find(metatable->shape, event);
  if (slot == kNoSlot || !metatable->slots[slot].is_lua_function()) return false;
  cache->kind = InlineCache::kHandler;
  cache->holder_shape = metatable->shape;
  cache->slot = slot;
  return true;
}

/// Looks for `key` beyond tables of `shape`, which lack it. True: the cache was filled, and *out is the result. Where a Lua function is
/// called for it, the cache is filled, too; metatables of a class have one each, `metatable` among them, which may be null.
bool learn_chain(Vm& vm, Shape* shape, String* key, const Table* metatable, InlineCache& cache, Value* out) {
  ChainWalk walk(vm);
  InlineCache found;
  found.shape = shape;
  found.miss_count = cache.miss_count;
  found.kind = InlineCache::kAbsent;
  *out = Value::nil();
  if (shape->root->common_metatable != nullptr) metatable = shape->root->common_metatable;
  for (Value handler = index_of(&walk, shape->root); !handler.is_nil();) {
    if (!handler.is_table() && learn_handler(metatable, vm.name_of(Metamethod::Index), &found)) {
      if (found.holder != nullptr) walk.watch(shape->root);
      found.epoch = shape->root->epoch;
      cache = found;
      return false;
    }
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
    found.holder = next;
    metatable = next->metatable();
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
  const bool is_absent = learn_chain(vm, shape, key, nullptr, beyond, &found) && beyond.kind == InlineCache::kAbsent;
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
  if (slot == kNoSlot) return learn_chain(vm, shape, key, table->metatable(), cache, out);
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

/// The table lacks the key, and its metatable's __newindex is a Lua function.
void learn_newindex(Vm& vm, const Table* table, const String* key, InlineCache& cache) {
  Shape* shape = table->shape;
  if (shape->is_dictionary || shape_find(shape, key) != kNoSlot || !may_learn(cache, shape)) return;
  InlineCache found;
  found.shape = shape;
  found.miss_count = cache.miss_count;
  if (learn_handler(table->metatable(), vm.name_of(Metamethod::NewIndex), &found)) cache = found;
}

bool is_about_other(const InlineCache& cache, const Shape* shape) { return cache.shape != shape && !is_free(cache); }
/// The cache is not going to learn this shape.
bool is_for_others(const InlineCache& cache, const Shape* shape) { return is_about_other(cache, shape) && cache.is_full(); }

/// Of the caches that a site has, the one to be taught about functions that are called. Machine code looks for these in the first one and in
/// the shared cache.
InlineCache* cache_for_handler(Vm& vm, SharedSets sets, const Shape* shape, const String* key, InlineCache* first, InlineCache* second) {
  if (first != nullptr && &cache_for(*first, second, shape) == first && !is_for_others(*first, shape)) return first;
  return find_or_insert_shared(vm, sets, shape, key);
}

}  // namespace

InlineCache* SharedPropertyCache::Set::insert(const String* key) {
  std::move_backward(std::begin(entries), std::end(entries) - 1, std::end(entries));
  entries[0] = {.key = key, .cache = {}};
  return &entries[0].cache;
}

InlineCache* find_or_insert_shared(Vm& vm, SharedSets sets, const Shape* shape, const String* key) {
  if (vm.property_cache == nullptr) vm.property_cache.reset(new (std::nothrow) SharedPropertyCache);
  if (vm.property_cache == nullptr) return nullptr;
  SharedPropertyCache::Sets& caches = vm.property_cache.get()->*sets;
  const size_t position = SharedPropertyCache::position(shape, key);
  if (InlineCache* known = caches.sets[position].find(shape, key)) return known;
  caches.used.set(position);
  return caches.sets[position].insert(key);
}

void learn_index_handler(Vm& vm, Table* table, String* key, InlineCache* first, InlineCache* second) {
  table_renew_shape(vm, table);
  InlineCache* cache = cache_for_handler(vm, &SharedPropertyCache::gets, table->shape, key, first, second);
  Value found;
  if (cache != nullptr) (void)learn_get(vm, table, key, *cache, &found);
}

void learn_newindex_handler(Vm& vm, Table* table, String* key, InlineCache* first, InlineCache* second) {
  table_renew_shape(vm, table);
  InlineCache* cache = cache_for_handler(vm, &SharedPropertyCache::sets, table->shape, key, first, second);
  if (cache != nullptr) learn_newindex(vm, table, key, *cache);
}

bool learn_get_of_shape(Vm& vm, Shape* shape, String* key, InlineCache* cache) {
  *cache = {};
  if (shape->is_dictionary || shape->root->is_stale) return false;
  const uint32_t slot = shape_find(shape, key);
  if (slot == kNoSlot) {
    Value found;
    return learn_chain(vm, shape, key, nullptr, *cache, &found);
  }
  cache->kind = InlineCache::kOwn;
  cache->shape = shape;
  cache->slot = slot;
  if (shape->has_metatable) cache->epoch = epoch_of_absence(vm, shape, key);
  return true;
}

bool get_shared(Vm& vm, Table* table, String* key, Value* out) {
  const InlineCache* known = find_shared(vm, &SharedPropertyCache::gets, table->shape, key);
  if (known != nullptr && cache_get(table, *known, key, out)) [[likely]]
    return true;
  table_renew_shape(vm, table);
  InlineCache* cache = find_or_insert_shared(vm, &SharedPropertyCache::gets, table->shape, key);
  return cache != nullptr && learn_get(vm, table, key, *cache, out);
}

bool set_shared(Vm& vm, Table* table, String* key, Value value) {
  const InlineCache* known = find_shared(vm, &SharedPropertyCache::sets, table->shape, key);
  if (known != nullptr && cache_set(vm, table, *known, key, value)) [[likely]]
    return true;
  table_renew_shape(vm, table);
  if (table_get_short_string(table, key).is_nil() && !lacks_newindex(vm, table)) return false;
  InlineCache* cache = find_or_insert_shared(vm, &SharedPropertyCache::sets, table->shape, key);
  return cache != nullptr && learn_set(vm, table, key, value, *cache).ok();
}

Result<Value> cached_get_miss(Vm& vm, Value object, String* key, InlineCache& first, InlineCache* second) {
  Value result;
  if (object.is_table()) {
    Table* table = object.as_table();
    table_renew_shape(vm, table);
    InlineCache& cache = cache_for(first, second, table->shape);
    if (&cache == second && cache_get(table, cache, key, &result)) return result;
    // What is shared is not learnt once more in place of another shape: machine code does not, either.
    if (is_about_other(cache, table->shape)) {
      const InlineCache* shared = find_shared(vm, &SharedPropertyCache::gets, table->shape, key);
      if (shared != nullptr && cache_get(table, *shared, key, &result)) return result;
    }
    InlineCache* known = &cache;
    if (is_for_others(cache, table->shape)) {
      known = find_or_insert_shared(vm, &SharedPropertyCache::gets, table->shape, key);
      if (known != nullptr && cache_get(table, *known, key, &result)) return result;
    }
    Table* first_argument = nullptr;
    if (known != nullptr) {
      if (const Value* handler = cache_handler(table, *known, &first_argument))
        return call_metamethod(vm, *handler, Value::table(first_argument), Value::string(key));
      if (learn_get(vm, table, key, *known, &result)) return result;
    }
  } else if (object.is_string()) {
    if (cache_get_of_string(vm, first, key, &result)) return result;
    Table* metatable = vm.metatable_of(object);
    if (metatable != nullptr && !find_metamethod(vm, metatable, Metamethod::Index).is_nil()) {
      Shape* shape = shape_own_root(vm, metatable);
      if (may_learn(first, shape) && learn_chain(vm, shape, key, nullptr, first, &result)) return result;
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
    if (cache.kind == InlineCache::kAdd && cache.shape == table->shape && cache.slot >= table->slot_capacity && !value.is_nil()) {
      TRY(table_make_slot(vm, table, cache.new_shape));  // the cache is right, only the slot is missing
      if (cache_set(vm, table, cache, key, value)) return {};
    }
    if (is_about_other(cache, table->shape)) {
      const InlineCache* shared = find_shared(vm, &SharedPropertyCache::sets, table->shape, key);
      if (shared != nullptr && cache_set(vm, table, *shared, key, value)) return {};
    }
    if (is_for_others(cache, table->shape)) {
      known = find_or_insert_shared(vm, &SharedPropertyCache::sets, table->shape, key);
      if (known == nullptr) return set_index_with(vm, object, Value::string(key), value, /*computed=*/false);
      if (cache_set(vm, table, *known, key, value)) return {};
    }
    Table* first_argument = nullptr;
    if (const Value* handler = cache_handler(table, *known, &first_argument))
      return call_metamethod_no_result(vm, *handler, object, Value::string(key), value);
    if (!table_get_short_string(table, key).is_nil() || lacks_newindex(vm, table)) {
      return learn_set(vm, table, key, value, *known);
    }
    learn_newindex(vm, table, key, *known);
  }
  return set_index_with(vm, object, Value::string(key), value, /*computed=*/false);
}

}  // namespace mangata
