// Classes of metatables: finding that of a metatable, and telling its root that a member has changed.
//
// Read next: vm/object/metatable_class.h (the design).
#include "vm/object/metatable_class.h"

#include <algorithm>
#include <array>

#include "vm/heap/heap.h"
#include "vm/object/function.h"
#include "vm/object/hash_part.h"
#include "vm/object/table_inline.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// What a metatable says, without memory of its own: the collector asks, too.
struct Sayings {
  std::array<MetamethodEntry, kMetamethodCount> entries;
  size_t count = 0;

  void add(Metamethod event, const Value& value) {
    if (value.is_nil()) return;
    const uint64_t identity =
        value.is_lua_function() ? reinterpret_cast<uint64_t>(value.as_lua_function()->proto) : value.payload;
    entries[count++] = {event, value.tag, identity};
  }
  std::span<const MetamethodEntry> all() const { return {entries.data(), count}; }
};

std::unique_ptr<MetatableLayout> layout_of(const Vm& vm, Shape* shape) {
  auto layout = std::make_unique<MetatableLayout>();
  for (int i = 0; i < kMetamethodCount; ++i) {
    const auto event = static_cast<Metamethod>(i);
    const uint32_t slot = shape_find(shape, vm.name_of(event));
    if (slot != kNoSlot) layout->slots.push_back({slot, event});
  }
  return layout;
}

Sayings sayings_of(const Table* metatable, const MetatableLayout& layout) {
  Sayings result;
  for (const MetatableLayout::Slot& place : layout.slots) result.add(place.event, metatable->slots[place.slot]);
  return result;
}

Sayings sayings_of(const Vm& vm, Table* metatable) {
  if (metatable->shape->layout) return sayings_of(metatable, *metatable->shape->layout);
  Sayings result;
  for (int i = 0; i < kMetamethodCount; ++i) {
    const auto event = static_cast<Metamethod>(i);
    result.add(event, table_get_short_string(metatable, vm.name_of(event)));
  }
  return result;
}

bool says(const Table* metatable, const MetatableLayout& layout, const MetatableClass& the_class) {
  if (the_class.says.size() != layout.slots.size()) return false;
  for (size_t i = 0; i < the_class.says.size(); ++i) {
    const Value& value = metatable->slots[layout.slots[i].slot];
    const MetamethodEntry& entry = the_class.says[i];
    if (value.tag != entry.tag || layout.slots[i].event != entry.event) return false;
    const uint64_t identity =
        value.is_lua_function() ? reinterpret_cast<uint64_t>(value.as_lua_function()->proto) : value.payload;
    if (identity != entry.identity) return false;
  }
  return true;
}

/// The AbsentMetamethod bits of events that are not said.
uint8_t absence_of(std::span<const MetamethodEntry> said) {
  uint8_t absent = kNoIndex | kNoNewIndex | kNoEqual | kNoLength | kNoGc | kNoMode;
  for (const MetamethodEntry& entry : said) {
    if (entry.event <= Metamethod::Mode && entry.event != Metamethod::Call) {
      absent &= static_cast<uint8_t>(~(1u << static_cast<int>(entry.event)));
    }
  }
  return absent;
}

void become_stale(Shape* root) {
  root->is_stale = true;
  ++root->epoch;
  root->metatable_class = nullptr;
}

/// The metatables that have it are about to say something else, or are gone.
void end_root(MetatableClass* the_class) {
  if (the_class->root != nullptr) become_stale(the_class->root);
  the_class->root = nullptr;
}

/// A second metatable says the same as the first: that gives up its own root.
void found_class(Vm& vm, MetatableClass* the_class) {
  if (the_class->first->instance_shape != nullptr) become_stale(the_class->first->instance_shape);
  the_class->first->instance_shape = nullptr;
  the_class->first = nullptr;
  the_class->root = shape_new_root(vm, nullptr);
  the_class->root->metatable_class = the_class;
}

}  // namespace

Table* MetatableClass::index() const {
  const bool is_table =
      !says.empty() && says.front().event == Metamethod::Index && says.front().tag == Tag::Table;
  return is_table ? reinterpret_cast<Table*>(says.front().identity) : nullptr;
}

bool MetatableClass::lacks(Metamethod event) const {
  return std::none_of(says.begin(), says.end(),
                      [&](const MetamethodEntry& entry) { return entry.event == event; });
}

size_t MetatableClasses::Hash::operator()(std::span<const MetamethodEntry> said) const {
  uint64_t hash = said.size();
  for (const MetamethodEntry& entry : said) {
    hash = (hash ^ entry.identity ^ (static_cast<uint64_t>(entry.event) << 56)) * kHashMultiplier;
    hash ^= hash >> 29;
  }
  return hash;
}

bool MetatableClasses::Equal::operator()(std::span<const MetamethodEntry> a,
                                         std::span<const MetamethodEntry> b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

MetatableClass& MetatableClasses::find_or_insert(std::span<const MetamethodEntry> said) {
  if (const auto found = classes_.find(said); found != classes_.end()) return *found->second;
  auto made = std::make_unique<MetatableClass>();
  made->says.assign(said.begin(), said.end());
  made->absent = absence_of(said);
  return *classes_.emplace(made->says, std::move(made)).first->second;
}

Shape* MetatableClasses::root_of(Vm& vm, Table* metatable) {
  metatable->type_flags |= kUsedAsMetatable;
  if (metatable->instance_shape != nullptr) return metatable->instance_shape;
  Shape* shape = metatable->shape;
  if (shape->is_dictionary) return shape_own_root(vm, metatable);
  if (!shape->layout) shape->layout = layout_of(vm, shape);
  MetatableLayout& layout = *shape->layout;
  if (layout.slots.empty()) return shape_own_root(vm, metatable);
  MetatableClass*& recent = layout.recent_like(metatable->slots[layout.slots.front().slot].payload);
  if (recent == nullptr || recent->root == nullptr || !says(metatable, layout, *recent)) {
    const Sayings said = sayings_of(metatable, layout);
    if (said.count == 0) return shape_own_root(vm, metatable);
    MetatableClass& the_class = find_or_insert(said.all());
    if (the_class.generation == MetatableClass::kMostGenerations) return shape_own_root(vm, metatable);
    if (the_class.root == nullptr) {
      if (the_class.first == nullptr) return the_class.first = metatable, shape_own_root(vm, metatable);
      found_class(vm, &the_class);
    }
    recent = &the_class;
  }
  metatable->type_flags |= recent->absent;
  return recent->root;
}

void MetatableClasses::metamethods_change(Vm& vm, Table* metatable) {
  if (metatable->instance_shape != nullptr) ++metatable->instance_shape->epoch;
  const Sayings said = sayings_of(vm, metatable);
  if (const auto found = classes_.find(said.all());
      found != classes_.end() && found->second->root != nullptr) {
    end_root(found->second.get());
    ++found->second->generation;
  }
  changes(metatable);
}

void MetatableClasses::depend(const Table* table, Shape* root) {
  std::vector<Shape*>& roots = dependents_[table];
  if (!roots.empty() && roots.back() == root) return;
  // What is there twice goes before the list grows: there are many times as many caches as roots.
  if (roots.size() == roots.capacity()) {
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    if (roots.size() > roots.capacity() / 2) roots.reserve(std::max(2 * roots.capacity(), size_t{4}));
  }
  roots.push_back(root);
}

void MetatableClasses::changes(const Table* table) {
  const auto found = dependents_.find(table);
  if (found == dependents_.end()) return;
  for (Shape* root : found->second) ++root->epoch;
  dependents_.erase(found);
}

void MetatableClasses::forget_dead(const Heap& heap) {
  const auto is_dead = [&](const Object* object) { return !heap.is_marked(object); };
  for (auto& entry : dependents_) std::erase_if(entry.second, is_dead);
  std::erase_if(dependents_, [&](const auto& entry) { return entry.second.empty() || is_dead(entry.first); });
  std::erase_if(classes_, [&](const auto& entry) {
    MetatableClass& the_class = *entry.second;
    if (the_class.root != nullptr && is_dead(the_class.root)) the_class.root = nullptr;
    if (the_class.first != nullptr && is_dead(the_class.first)) the_class.first = nullptr;
    const bool is_gone = std::any_of(the_class.says.begin(), the_class.says.end(), [&](const MetamethodEntry& said) {
      return said.tag >= kFirstCollectableTag && is_dead(reinterpret_cast<const Object*>(said.identity));
    });
    if (is_gone) end_root(&the_class);
    return is_gone || (the_class.root == nullptr && the_class.first == nullptr && the_class.generation == 0);
  });
}

}  // namespace mangata
