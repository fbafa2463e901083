// Tables (Lua 5.4 manual §2.1): elements 1..n of one kind, string keys by shape, everything else in a hash
// part.
//
// [DESIGN] Elements: `elements` holds array_size() elements of one ElementKind: all integers or all floats (8
// bytes each, no holes), or any values (16 bytes each, holes are nil, the last one is not). A store that does
// not fit widens to Any. Integer key k lives in the elements iff 1 <= k <= array_size; a store at
// array_size+1 appends (and pulls followers out of the hash part, so array_size is always a border). A nil
// store at the end shrinks. A key in 1..element_capacity that is absent from the hash part is, for `next`, an
// element position, so that a table may be cleared while it is traversed. String keys: in property slots
// given by the shape; in dictionary mode in the hash part. Long strings, floats, booleans and objects: hash
// part. A float key with an exact integer value is an integer key.
//
// Storage of elements and slots is an object of its own (Bytes or Values); the table points behind its
// header. The first slots may stand inline behind the table. What the collector traces: shape,
// instance_shape, own_metatable, slots[0..shape->slot_count), elements[0..array_size) of kind Any, live nodes of the hash
// part, and marks the storage objects (table_*_storage).
//
// Raw operations here know no metamethods; those are in vm/operations/index.cpp. Only growth of big storage
// can fail (Raised: "not enough memory"). None of these functions is a safepoint. Every store of a
// collectable value runs the write barrier.
//
// Read next: vm/object/shape.h, vm/object/table_inline.h (fast paths), vm/object/table_internal.h.
#pragma once

#include "vm/error.h"
#include "vm/object/object.h"
#include "vm/object/shape.h"
#include "vm/object/string.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
struct HashPart;

enum class ElementKind : uint8_t {
  Empty,
  Integer,
  Float,
  Any
};

struct Table : Object {
  // type_byte: ElementKind. type_word: array_size. type_flags: absent-metamethod cache (see
  // AbsentMetamethod).
  Shape* shape;
  Value* slots;    ///< property values; inline behind the object at first
  void* elements;  ///< int64_t*, double* or Value*, by kind
  uint32_t element_capacity;
  uint32_t slot_capacity;
  HashPart* hash;         ///< null when empty
  Shape* instance_shape;  ///< the empty shape of tables that have this table as metatable, and no other may have; null: there is none
  Table* own_metatable;   ///< null: none. What it says is in the shape

  ElementKind element_kind() const { return static_cast<ElementKind>(type_byte); }
  uint32_t array_size() const { return type_word; }
  Table* metatable() const { return own_metatable; }
  int64_t* integers() const { return static_cast<int64_t*>(elements); }
  double* floats() const { return static_cast<double*>(elements); }
  Value* values() const { return static_cast<Value*>(elements); }

  /// Element `index` (0-based). Precondition: index < array_size().
  Value element(uint32_t index) const {
    switch (element_kind()) {
      case ElementKind::Integer:
        return Value::integer(integers()[index]);
      case ElementKind::Float:
        return Value::number(floats()[index]);
      default:
        return values()[index];
    }
  }
};

/// Bits of Table::type_flags, set when the table, used as a metatable, is known to lack the metamethod. Any
/// raw store of a key that starts with "__" clears them. The two other bits say that shapes or caches depend on the
/// table, which are told of such stores (MetatableClasses).
enum AbsentMetamethod : uint8_t {
  kNoIndex = 1,
  kNoNewIndex = 2,
  kNoEqual = 4,
  kNoLength = 8,
  kIndexIntermediate =
      16,  ///< not an absence bit: inline caches rely on keys that this table, in an __index chain, lacks
  kNoGc = 32,
  kNoMode = 64,
  kUsedAsMetatable = 128,  ///< not an absence bit: shapes or caches rely on the metamethods of this table
};

/// Slots that table_new may place behind the object.
inline constexpr uint32_t kMaxInlineSlots = 64;

inline bool table_slots_are_inline(const Table* table) {
  return table->slots == reinterpret_cast<const Value*>(table + 1);
}
/// The object around a table's storage, for the collector; null when there is none.
inline Object* table_slots_storage(const Table* table) {
  if (table->slots == nullptr || table_slots_are_inline(table)) return nullptr;
  return reinterpret_cast<Object*>(table->slots) - 1;
}
inline Object* table_elements_storage(const Table* table) {
  return table->elements == nullptr ? nullptr : static_cast<Object*>(table->elements) - 1;
}

inline size_t table_slots_storage_bytes(const Table* table) {
  return sizeof(Object) + sizeof(Value) * table->slot_capacity;
}
inline size_t table_elements_storage_bytes(const Table* table) {
  const size_t element_bytes = table->element_kind() == ElementKind::Any ? sizeof(Value) : sizeof(int64_t);
  return sizeof(Object) + element_bytes * table->element_capacity;
}

/// A new empty table with room for `slot_count` properties behind the object and `element_count` elements.
Table* table_new(Vm& vm, uint32_t element_count = 0, uint32_t slot_count = 0);

Value table_get(Table* table, Value key);  ///< any key; nil when absent
Value table_get_integer(Table* table, int64_t key);
Value table_get_string(Table* table, String* key);  ///< any string, short or long

/// Raw store of any key but nil and NaN (the caller has raised for those). nil removes.
Status table_set(Vm& vm, Table* table, Value key, Value value);
Status table_set_integer(Vm& vm, Table* table, int64_t key, Value value);
/// `computed`: the key does not stand in the program text (it steers dictionary mode).
Status table_set_string(Vm& vm, Table* table, String* key, Value value, bool computed = false);

/// A border (manual §3.4.7).
int64_t table_length(Table* table);

/// Iteration in storage order. key nil starts. Returns 1 with the next key and value, 0 at the end, -1 when
/// `key` is not in the table.
int table_next(Table* table, Value key, Value* next_key, Value* next_value);

/// Cursor form for the generic `for`: *cursor 0 starts; returns false at the end. Same order as table_next.
bool table_iterate(Table* table, uint32_t* cursor, Value* key, Value* value);
/// The same with the cursor as a value: the next one, or kTraversed.
uint32_t table_step(const Table* table, uint32_t cursor, Value* key, Value* value);
inline constexpr uint32_t kTraversed = UINT32_MAX;
/// The cursor position just after `key`, or UINT32_MAX when absent.
uint32_t table_cursor_after(Table* table, Value key);

void table_set_metatable(Vm& vm, Table* table, Table* metatable);

/// Where metatables of its shape may say something else by now (Shape::is_stale): the shape that the table's says.
void table_renew_shape(Vm& vm, Table* table);

/// Makes room for elements or properties in advance.
Status table_reserve(Vm& vm, Table* table, uint32_t element_count, uint32_t slot_count);

/// Makes room for the last property of `shape`, a child of the table's shape, and for those that are likely
/// to follow.
Status table_make_slot(Vm& vm, Table* table, const Shape* shape);

/// The positional part of a constructor: table[first_index + i] = values[i]. nil values among them become
/// holes, so that the length is the index of the last value that is not nil, as in PUC's.
Status table_set_list(Vm& vm, Table* table, int64_t first_index, const Value* values, uint32_t count);

/// Appends at array_size()+1; the fast form for libraries. Precondition: value is not nil and the key is not
/// in the hash part.
Status table_append(Vm& vm, Table* table, Value value);

/// Removes all keys; shape and storage stay. Returns how many were no elements.
int64_t table_clear(Vm& vm, Table* table);

/// For the collector, after it has set elements to nil: restores that the last element is not nil.
void table_shrink_after_clearing(Table* table);

/// Bytes of the table and its storage.
size_t table_size_bytes(const Table* table);

}  // namespace mangata
