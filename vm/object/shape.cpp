// The shape tree: finding keys, transitions, and the limits beyond which a table becomes a dictionary.
//
// Read next: vm/object/table_store.cpp (who asks for transitions).
#include "vm/object/shape.h"

#include <algorithm>

#include "vm/heap/heap.h"
#include "vm/interpreter/path_allocations.h"
#include "vm/object/shape_keys.h"
#include "vm/object/table.h"
#include "vm/vm.h"

namespace mangata {

namespace {

/// New children of one shape: beyond these a table becomes a dictionary instead.
constexpr size_t kMaxChildren = 1024;
constexpr size_t kMaxComputedChildren = 6;
constexpr size_t kMaxComputedRootChildren = 32;
/// Shapes made for computed keys under one root, ever.
constexpr uint32_t kMaxComputedShapes = 4000;

size_t child_count(const Shape* shape) {
  if (shape->children) return shape->children->size();
  return shape->single_child != nullptr ? 1 : 0;
}

/// Shapes are shared, and which tier makes one first differs: they are no allocations of the program's.
Shape* allocate_shape(Vm& vm) {
  Shape* shape = vm.heap.allocate_destructible<Shape>(ObjectType::Shape);
  if (vm.path_allocations != nullptr) vm.path_allocations->leave_out({rounded_cell_bytes(sizeof(Shape)), 1});
  return shape;
}

Shape* new_shape(Vm& vm, Shape* parent) {
  Shape* shape = allocate_shape(vm);
  shape->parent = parent;
  shape->root = parent->root;
  shape->common_metatable = parent->common_metatable;
  shape->has_metatable = parent->has_metatable;
  return shape;
}

void link_child(Shape* parent, Shape* child) {
  if (parent->children) {
    parent->children->emplace(child->key, child);
  } else if (parent->single_child == nullptr) {
    parent->single_child = child;
  } else {
    parent->children = std::make_unique<std::unordered_map<const String*, Shape*>>();
    parent->children->emplace(parent->single_child->key, parent->single_child);
    parent->children->emplace(child->key, child);
    parent->single_child = nullptr;
  }
}

/// The keys of `shape` in slot order.
std::vector<String*> keys_of(Shape* shape) {
  std::vector<String*> keys(shape->slot_count);
  for (Shape* s = shape; s->slot_count > 0; s = s->parent) keys[s->slot_count - 1] = s->key;
  return keys;
}

ShapeKeyTable& index_of(Shape* shape) {
  if (!shape->keys) {
    shape->keys = std::make_shared<ShapeKeyTable>();
    for (String* key : keys_of(shape)) shape->keys->add(key);
  }
  return *shape->keys;
}

}  // namespace

/// Epochs start at 1: a cache with 0 knows nothing beyond the table itself.
Shape::Shape() { epoch = 1; }
Shape::~Shape() = default;

uint32_t shape_find_indexed(Shape* shape, const String* key) {
  const uint32_t slot = index_of(shape).find(key);
  return slot < shape->slot_count ? slot : kNoSlot;
}

String* shape_key_at(Shape* shape, uint32_t slot) {
  const String* key = slot < Shape::kInlineKeys ? shape->first_keys[slot] : index_of(shape).at(slot);
  return const_cast<String*>(key);
}

Shape* shape_find_child(const Shape* shape, const String* key) {
  if (shape->single_child != nullptr) return shape->single_child->key == key ? shape->single_child : nullptr;
  if (!shape->children) return nullptr;
  const auto found = shape->children->find(key);
  return found == shape->children->end() ? nullptr : found->second;
}

Shape* shape_add(Vm& vm, Shape* shape, String* key) {
  if (Shape* known = shape_find_child(shape, key)) return known;
  Shape* child = new_shape(vm, shape);
  child->key = key;
  child->slot_count = shape->slot_count + 1;
  std::copy(shape->first_keys, shape->first_keys + Shape::kInlineKeys, child->first_keys);
  if (shape->slot_count < Shape::kInlineKeys) child->first_keys[shape->slot_count] = key;
  // The youngest shape of a line extends the shared index; others build their own when they need it.
  if (shape->keys && shape->keys->size() == shape->slot_count) {
    shape->keys->add(key);
    child->keys = shape->keys;
  }
  link_child(shape, child);
  return child;
}

bool shape_refuses(Shape* shape, const String* key, bool computed) {
  if (shape->slot_count >= (computed ? kMaxComputedShapeSlots : kMaxShapeSlots)) return true;
  if (shape_find_child(shape, key) != nullptr) return false;
  if (!computed) return child_count(shape) >= kMaxChildren;
  if (child_count(shape) >= (shape->slot_count == 0 ? kMaxComputedRootChildren : kMaxComputedChildren))
    return true;
  return ++shape->root->computed_count > kMaxComputedShapes;
}

Shape* shape_new_root(Vm& vm, Table* common_metatable) {
  Shape* root = allocate_shape(vm);
  root->root = root;
  root->common_metatable = common_metatable;
  root->has_metatable = true;
  return root;
}

Shape* shape_own_root(Vm& vm, Table* metatable) {
  if (metatable->instance_shape == nullptr) {
    metatable->instance_shape = shape_new_root(vm, metatable);
    vm.heap.write_barrier(metatable, metatable->instance_shape);
  }
  return metatable->instance_shape;
}

Shape* shape_dictionary(Vm& vm, Shape* root) {
  if (root->dictionary == nullptr) {
    root->dictionary = new_shape(vm, root);
    root->dictionary->is_dictionary = true;
  }
  return root->dictionary;
}

Shape* shape_under(Vm& vm, Shape* shape, Shape* root) {
  if (shape->root == root) return shape;
  if (shape->is_dictionary) return shape_dictionary(vm, root);
  if (shape->slot_count == 0) return root;
  if (shape->with_metatable != nullptr && shape->with_metatable->root == root) return shape->with_metatable;
  Shape* result = root;
  for (String* key : keys_of(shape)) result = shape_add(vm, result, key);
  shape->with_metatable = result;
  return result;
}

Shape* shape_with_metatable(Vm& vm, Shape* shape, Table* metatable) {
  return shape_under(vm, shape, metatable == nullptr ? vm.empty_shape : vm.metatable_classes.root_of(vm, metatable));
}

uint32_t shape_expected_slots(const Shape* shape, uint32_t limit) {
  const Shape* last = shape;
  while (last->single_child != nullptr && last->slot_count < limit) last = last->single_child;
  return last->slot_count;
}

void shape_drop_dead_links(Shape* shape, const Heap& heap) {
  const auto drop = [&heap](Shape*& link) {
    if (link != nullptr && !heap.is_marked(link)) link = nullptr;
  };
  drop(shape->single_child);
  drop(shape->with_metatable);
  drop(shape->dictionary);
  if (shape->common_metatable != nullptr && !heap.is_marked(shape->common_metatable)) {
    shape->common_metatable = nullptr;
    shape->is_stale = true;  // of a root; no table has it any more
  }
  if (shape->layout) shape->layout->recent = {};
  if (shape->children) {
    std::erase_if(*shape->children, [&heap](const auto& entry) { return !heap.is_marked(entry.second); });
    if (shape->children->empty()) shape->children.reset();
  }
}

}  // namespace mangata
