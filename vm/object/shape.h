// Shapes (hidden classes): which string keys a table has, in which property slot, and what its metatable says.
//
// [DESIGN] Tables that got the same short-string keys in the same order under metatables of the same class share a
// Shape. A Shape is immutable; adding a key moves the table to a child shape. One pointer comparison therefore proves
// presence or absence of every string key; with the epoch of the root, which says whether anything has changed that is not
// in the table, also what __index leads to (vm/object/metatable_class.h). A key set to nil keeps its slot (the slot holds
// nil). Tables used as maps (many keys added by computed key) go to dictionary mode: their shape has is_dictionary (one such
// shape per root), no slots, and all string keys live in the hash part.
//
// Children are held weakly by their parents; parents strongly by children. The root of tables that have one metatable in
// common is that metatable's own (Table::instance_shape, which the metatable holds strongly). It holds that metatable weakly,
// as tables hold it themselves: what is known of shapes keeps no metatable alive. The collector marks parent, key and root of a
// live shape, and calls shape_drop_dead_links for it when marking has ended.
//
// Read next: vm/object/table.h.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "vm/object/object.h"
#include "vm/object/string.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
class Heap;
class ShapeKeyTable;     // shape_keys.h: the key -> slot index shared along a lineage
struct MetatableClass;   // metatable_class.h
struct MetatableLayout;  // metatable_class.h
struct Table;

struct Shape : Object {
  /// The first keys stand in the shape itself: most lookups compare a few addresses in one or two cache
  /// lines.
  static constexpr uint32_t kInlineKeys = 8;

  Shape* parent = nullptr;  ///< with one key less; null for a root
  String* key = nullptr;  ///< the last key added; null for a root
  Shape* root = nullptr;  ///< the empty shape that it descends from; of roots, itself
  /// Of all tables with this shape (weak); null: they have none, or each has one of a class.
  Table* common_metatable = nullptr;
  uint32_t slot_count = 0;
  bool is_dictionary = false;
  bool has_metatable = false;
  bool is_stale = false;  ///< of a root: tables may have it whose metatables say something else
  uint32_t epoch = 0;     ///< of a root: moves on when what caches found outside of tables under it may have changed
  const String* first_keys[kInlineKeys] = {};  ///< keys of slots 0, 1, ...
  std::shared_ptr<ShapeKeyTable> keys;         ///< built lazily for shapes with more than kInlineKeys keys
  Shape* single_child = nullptr;               ///< the only child, while there is one (weak)
  std::unique_ptr<std::unordered_map<const String*, Shape*>> children;  ///< when there are several (weak)
  Shape* with_metatable = nullptr;  ///< cache of the last metatable transition (weak)
  MetatableClass* metatable_class = nullptr;  ///< of a root: what metatables of its tables say; null: see common_metatable
  std::unique_ptr<MetatableLayout> layout;    ///< of tables with this shape that are metatables; null until needed

  Shape();
  ~Shape();
  Shape* dictionary = nullptr;      ///< of a root: the dictionary shape with the same metatable (weak)
  uint32_t computed_count = 0;      ///< of a root: descendants made for computed keys, ever
};

inline constexpr uint32_t kNoSlot = 0xffffffff;
/// A table whose shape would get more keys than this goes to dictionary mode.
inline constexpr uint32_t kMaxShapeSlots = 1024;
/// The same for keys added by computed (non-constant) key.
inline constexpr uint32_t kMaxComputedShapeSlots = 32;

/// The slot of `key` in a shape with more than kInlineKeys keys.
uint32_t shape_find_indexed(Shape* shape, const String* key);

/// The property slot of `key` (a short string) in `shape`, or kNoSlot.
inline uint32_t shape_find(Shape* shape, const String* key) {
  const uint32_t count = shape->slot_count;
  if (count > Shape::kInlineKeys) return shape_find_indexed(shape, key);
  for (uint32_t slot = 0; slot < count; ++slot) {
    if (shape->first_keys[slot] == key) return slot;
  }
  return kNoSlot;
}

/// The key of `slot`. Precondition: slot < shape->slot_count.
String* shape_key_at(Shape* shape, uint32_t slot);

/// The child for `key` if it exists already, else null.
Shape* shape_find_child(const Shape* shape, const String* key);

/// The shape after adding `key`, which `shape` must lack. Never null.
Shape* shape_add(Vm& vm, Shape* shape, String* key);

/// Whether a table of this shape should go to dictionary mode instead of getting `key`. `computed`: the key
/// does not stand in the program text; then few new shapes are made, so that maps with random keys do not
/// litter the tree.
bool shape_refuses(Shape* shape, const String* key, bool computed);

/// A new empty shape, of tables that have a metatable: that one, or (null) each one of a class.
Shape* shape_new_root(Vm& vm, Table* common_metatable);

/// The root of tables with this metatable and no other.
Shape* shape_own_root(Vm& vm, Table* metatable);

/// The dictionary shape under that root.
Shape* shape_dictionary(Vm& vm, Shape* root);

/// The same keys under another root.
Shape* shape_under(Vm& vm, Shape* shape, Shape* root);

/// The shape of a table with that shape that gets this metatable (null: none).
Shape* shape_with_metatable(Vm& vm, Shape* shape, Table* metatable);

/// The number of slots that tables passing through `shape` are likely to get in the end, at most `limit`.
uint32_t shape_expected_slots(const Shape* shape, uint32_t limit);

/// For the collector, on every live shape once marking has ended: forgets children and caches that were not
/// marked.
void shape_drop_dead_links(Shape* shape, const Heap& heap);

}  // namespace mangata
