// Rehashing: when the hash part is full, or the elements are sparse, all keys are counted and every part gets
// the size that suits them; and the change to dictionary mode.
//
// The elements get the largest n such that more than half of 1..n is in use ("The Implementation of Lua 5.0",
// §4). Holes in a large array are counted only when that costs no more than counting the hash part, so that a
// small hash part with changing keys beside a large array is never quadratic; until then the array is taken
// to be full. But it does not grow on that account when it is mostly holes: then the hash part gets some
// room.
#include <algorithm>
#include <bit>

#include "vm/heap/heap.h"
#include "vm/object/hash_index.h"
#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"
#include "vm/vm.h"

namespace mangata {

namespace {

/// The elements grow when more than one in so many of them is in use.
constexpr uint32_t kSparsest = 4;
/// Units of fuel.
constexpr int64_t kWorkOfKey = 3;
/// After so many elements were looked at in vain, there is room for one more key before they are again.
constexpr uint32_t kElementsPerNode = 64;

/// slices[b]: how many integer keys k with 2^(b-1) < k <= 2^b.
struct KeyCount {
  uint32_t slices[32] = {};
  uint64_t total = 0;       ///< of all slices
  uint32_t hash_count = 0;  ///< live keys of the hash part
  bool examined = false;    ///< holes of the elements were counted

  void add(int64_t key, uint32_t count = 1) {
    if (key < 1 || key > kMaxElements) return;
    slices[std::bit_width(static_cast<uint64_t>(key) - 1)] += count;
    total += count;
  }
};

KeyCount count_keys(const Table* table, Value extra_key, bool with_holes) {
  KeyCount count;
  const uint32_t node_count = table->hash == nullptr ? 0 : table->hash->node_count();
  for (uint32_t i = 0; i < node_count; ++i) {
    const HashNode& node = table->hash->nodes[i];
    if (node.value.is_nil()) continue;
    ++count.hash_count;
    if (node.key().is_integer()) count.add(node.key().as_integer());
  }
  if (extra_key.is_integer()) count.add(extra_key.as_integer());

  const uint32_t size = table->array_size();
  const bool extra_is_append =
      extra_key.is_integer() && extra_key.as_integer() == static_cast<int64_t>(size) + 1;
  count.examined = table->element_kind() == ElementKind::Any &&
                   (with_holes || extra_is_append || size <= 4 * (node_count + 16));
  if (count.examined) {
    for (uint32_t i = 0; i < size; ++i) {
      if (!table->values()[i].is_nil()) count.add(static_cast<int64_t>(i) + 1);
    }
    return count;
  }
  for (uint64_t low = 0, high = 1; low < size; low = high, high *= 2) {
    count.add(static_cast<int64_t>(high), static_cast<uint32_t>(std::min<uint64_t>(high, size) - low));
  }
  return count;
}

/// The largest n, a power of two or 0, with more than half of 1..n in use.
uint32_t best_element_capacity(const KeyCount& count) {
  uint64_t used_count = 0;
  uint32_t best = 0;
  for (int b = 0; b < 31; ++b) {
    const uint64_t capacity = 1ull << b;
    if (count.total <= capacity / 2) break;
    used_count += count.slices[b];
    if (used_count > capacity / 2) best = static_cast<uint32_t>(capacity);
  }
  return best;
}

uint64_t used_up_to(uint32_t capacity, const KeyCount& count) {
  uint64_t used_count = 0;
  const auto width = static_cast<int>(std::bit_width(capacity - 1));
  for (int b = 0; b <= width; ++b) used_count += count.slices[b];
  return used_count;
}

uint32_t hash_capacity(const Table* table, uint32_t key_count) {
  if (key_count == 0) return 0;
  uint32_t capacity = std::bit_ceil(key_count);
  // Not more keys than before: keys come and go, and the next rehash must not follow at once.
  const uint32_t old_capacity = table->hash == nullptr ? 0 : table->hash->node_count();
  if (key_count <= old_capacity && key_count > capacity - capacity / 4) capacity *= 2;
  return capacity;
}

/// Precondition: the key is absent and there is a free node.
void insert(HashPart* hash, Value key, Value value) {
  HashNode* node = hash_insert(hash, key, hash_main_position(hash, key));
  node->value = value;
}

bool belongs_to_elements(Value key, uint32_t capacity) {
  return key.is_integer() && key.payload - 1 < capacity;
}

/// Takes the elements beyond `capacity` into `hash`, and gives the memory back.
Status shrink_elements(Vm& vm, Table* table, uint32_t capacity, HashPart* hash) {
  const uint32_t size = table->array_size();
  for (uint32_t i = capacity; i < size; ++i) {
    const Value value = table->values()[i];
    if (!value.is_nil()) insert(hash, Value::integer(static_cast<int64_t>(i) + 1), value);
  }
  table->type_word = capacity;
  table_shrink_after_clearing(table);
  if (capacity > 0) return elements_resize(vm, table, ElementKind::Any, capacity);
  vm.heap.free_storage(table_elements_storage(table));
  table->elements = nullptr;
  table->element_capacity = 0;
  table->type_byte = static_cast<uint8_t>(ElementKind::Empty);
  return {};
}

/// Moves integer keys up to `capacity` from the hash part to the elements.
Status take_elements_from_hash(Vm& vm, Table* table, uint32_t capacity) {
  int64_t highest = 0;
  for (uint32_t i = 0; i < table->hash->node_count(); ++i) {
    const HashNode& node = table->hash->nodes[i];
    if (node.value.is_nil() || !belongs_to_elements(node.key(), capacity)) continue;
    highest = std::max(highest, node.key().as_integer());
  }
  if (highest == 0) return {};
  TRY(elements_resize(vm, table, ElementKind::Any, std::max(capacity, table->element_capacity)));
  for (int64_t i = table->array_size(); i < highest; ++i) table->values()[i] = Value::nil();
  for (uint32_t i = 0; i < table->hash->node_count(); ++i) {
    HashNode& node = table->hash->nodes[i];
    if (node.value.is_nil() || !belongs_to_elements(node.key(), capacity)) continue;
    table->values()[node.key().as_integer() - 1] = node.value;
    vm.heap.write_barrier(table, node.value);
    node.bury();
  }
  table->type_word = static_cast<uint32_t>(highest);
  return {};
}

/// Puts `hash` (may be null) in the place of the old hash part, whose live nodes it gets.
void replace_hash(Vm& vm, Table* table, HashPart* hash) {
  HashPart* old_hash = table->hash;
  if (old_hash != nullptr && hash != nullptr) hash_insert_live_nodes(hash, old_hash);
  table->hash = hash;
  vm.heap.write_barrier(table, hash);
  if (old_hash != nullptr) vm.heap.free_storage(old_hash);
}

}  // namespace

Status table_rehash(Vm& vm, Table* table, Value key, Value value) {
  KeyCount count = count_keys(table, key, /*with_holes=*/false);
  const uint32_t size = table->array_size();
  uint32_t capacity = best_element_capacity(count);
  uint32_t least_nodes = 1;
  if (capacity > std::max(size, table->element_capacity) && !count.examined &&
      table->element_kind() == ElementKind::Any) {
    const KeyCount real = count_keys(table, key, /*with_holes=*/true);
    if (used_up_to(capacity, real) <= capacity / kSparsest) {
      count = real;
      capacity = best_element_capacity(count);
      if (capacity <= size) least_nodes = std::bit_ceil(size / kElementsPerNode + 1);
    }
  }
  const bool shrinks = count.examined && capacity < size;
  if (!shrinks) capacity = std::max(capacity, size);

  // An upper bound of the keys in the new hash part; exact unless keys move to the elements.
  uint32_t key_count = count.hash_count;
  if (!shrinks && capacity > size && table->hash != nullptr) {
    TRY(take_elements_from_hash(vm, table, capacity));
    key_count = 0;
    for (uint32_t i = 0; i < table->hash->node_count(); ++i)
      key_count += !table->hash->nodes[i].value.is_nil();
  } else if (shrinks) {
    for (uint32_t i = capacity; i < size; ++i) key_count += !table->values()[i].is_nil();
  }
  const bool key_is_element =
      belongs_to_elements(key, shrinks ? capacity : std::max(capacity, table->array_size() + 1));
  if (!key_is_element) ++key_count;

  HashPart* hash = nullptr;
  if (key_count > 0) {
    hash = hash_part_new(vm.heap, std::max(hash_capacity(table, key_count), least_nodes));
    if (hash == nullptr) return raise_out_of_memory(vm);
  }
  charge_if_much(vm, int64_t{key_count} * kWorkOfKey);
  if (shrinks) TRY(shrink_elements(vm, table, capacity, hash));
  replace_hash(vm, table, hash);

  vm.heap.write_barrier(table, key);
  if (!key_is_element) {
    insert(hash, key, value);
    vm.heap.write_barrier(table, value);
  } else if (key.payload - 1 < table->array_size()) {
    TRY(elements_store(vm, table, static_cast<uint32_t>(key.payload - 1), value));
  } else {
    TRY(elements_store_beyond(vm, table, static_cast<uint32_t>(key.payload - 1), value));
  }
  if (hash != nullptr && hash->lacks_index()) [[unlikely]]
    TRY(table_index_hash(vm, table));
  return elements_pull_followers(vm, table);
}

Status table_index_hash(Vm& vm, Table* table) {
  HashPart* const flooded = table->hash;
  HashPart* hash = hash_part_with_index(vm.heap, flooded);
  if (hash == nullptr) return raise_out_of_memory(vm);
  table->hash = hash;
  vm.heap.write_barrier(table, hash);
  vm.heap.free_storage(flooded);
  return {};
}

Status table_become_dictionary(Vm& vm, Table* table) {
  Shape* shape = table->shape;
  uint32_t key_count = 1;
  for (uint32_t slot = 0; slot < shape->slot_count; ++slot) key_count += !table->slots[slot].is_nil();
  const uint32_t node_count = table->hash == nullptr ? 0 : table->hash->node_count();
  for (uint32_t i = 0; i < node_count; ++i) key_count += !table->hash->nodes[i].value.is_nil();

  HashPart* hash = hash_part_new(vm.heap, std::bit_ceil(key_count));
  if (hash == nullptr) return raise_out_of_memory(vm);
  for (uint32_t slot = 0; slot < shape->slot_count; ++slot) {
    if (!table->slots[slot].is_nil())
      insert(hash, Value::string(shape_key_at(shape, slot)), table->slots[slot]);
  }
  replace_hash(vm, table, hash);
  Object* old_slots = table_slots_storage(table);
  table->slots = nullptr;
  table->slot_capacity = 0;
  table->shape = shape_dictionary(vm, shape->root);
  vm.heap.write_barrier(table, table->shape);
  if (old_slots != nullptr) vm.heap.free_storage(old_slots);
  return {};
}

}  // namespace mangata
