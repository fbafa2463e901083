// Shapes (hidden classes): which string keys a table has, in which property slot, and its metatable.
//
// [DESIGN] Tables that got the same short-string keys in the same order under the same metatable share a Shape. A Shape is
// immutable; adding a key moves the table to a child shape. One pointer comparison therefore proves presence or absence
// of every string key *and* the metatable. A key set to nil keeps its slot (the slot holds nil). Tables used as maps
// (many keys added by computed key) go to dictionary mode: their shape has is_dictionary (one such
// shape per metatable), no slots, and all string keys live in the hash part.
//
// Children are held weakly by their parents; parents strongly by children. A shape with a metatable is rooted in that
// metatable's own empty shape (Table::instance_shape).
//
// Read next: vm/object/table.h.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
class ShapeKeyTable;  // shape_keys.h: the key -> slot index shared along a lineage

struct Shape : Object {
  Shape* parent = nullptr;
  String* key = nullptr;          ///< the last key added; null for a root
  Table* metatable = nullptr;
  uint32_t slot_count = 0;
  bool is_dictionary = false;
  std::shared_ptr<ShapeKeyTable> keys;   ///< built lazily for shapes with more than a few keys
  Shape* single_child = nullptr;         ///< the only child, while there is one (weak)
  std::unique_ptr<std::unordered_map<const String*, Shape*>> children;  ///< when there are several (weak)
  Shape* with_metatable = nullptr;       ///< cache of the last metatable transition (weak)
};

inline constexpr uint32_t kNoSlot = 0xffffffff;
/// A table whose shape would get more keys than this goes to dictionary mode.
inline constexpr uint32_t kMaxShapeSlots = 1024;
/// The same for keys added by computed (non-constant) key.
inline constexpr uint32_t kMaxComputedShapeSlots = 32;

/// The property slot of `key` (a short string) in `shape`, or kNoSlot.
uint32_t shape_find(Shape* shape, const String* key);

/// The shape after adding `key`, which `shape` must lack. Never null.
Shape* shape_add(Vm& vm, Shape* shape, String* key);

/// The same keys under another metatable (null: none).
Shape* shape_with_metatable(Vm& vm, Shape* shape, Table* metatable);

}  // namespace mangata
