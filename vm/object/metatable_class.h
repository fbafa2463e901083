// Metatables by what they say.
//
// [DESIGN] A shape proves what __index leads to, so it has to know the metatable of its tables; but many
// programs make a metatable for each object, as in setmetatable(object, {__index = Class}), and by its
// identity each of these objects would have a shape of its own. So metatables that say the same are one
// *class*: they have the same metamethods, the same by identity or, of Lua functions, by prototype (a closure
// made for each object is another function each time). Keys that are no events are not part of it. Tables
// whose metatables are of one class share their shapes, which descend from its root; the metatable itself is
// in Table::metatable.
//
// A metatable gets a root of its own (Table::instance_shape) while it is the only one that says what it says,
// where it is empty (a metamethod stored behind setmetatable would end the class), in dictionary mode, or its
// class has changed too often. A root of its own holds whatever the metatable comes to say. That of a class
// does not: a store of a metamethod to a member makes the root *stale*. No cache learns of tables with a
// stale root; they get another shape at their next slow access (table_renew_shape). Members of the class that
// have not changed found a new one, kMostGenerations times at most.
//
// Caches, in the interpreter and in machine code, rely on more than the root says: on keys that tables along
// __index lack, and on the metatables of those. What a cache has found out it may use while Shape::epoch of
// the root is what it was. A table that roots depend on is listed here, with them (depend), and a change
// moves their epochs on (MetatableClasses::changes). So a change costs those that relied on it, and nobody
// else.
//
// Classes hold nothing: the collector drops what has died (forget_dead) before its address can be used again.
//
// Read next: vm/interpreter/inline_cache.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "vm/metamethod.h"
#include "vm/object/shape.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;
struct Table;
class Heap;

/// One thing that a metatable says.
struct MetamethodEntry {
  Metamethod event;  ///< what it is called for
  Tag tag;
  uint64_t identity;  ///< of Lua functions the prototype's address, of anything else the payload
  friend bool operator==(const MetamethodEntry&, const MetamethodEntry&) = default;
};

/// The metatables that say the same.
struct MetatableClass {
  static constexpr uint8_t kMostGenerations = 4;  ///< of `generation`: after these, metatables get roots of their own
  std::vector<MetamethodEntry> says;  ///< by event
  Shape* root = nullptr;  ///< of tables with metatables of the class; null: there is none, or no longer
  Table* first =
      nullptr;  ///< while there is no root: a metatable that says it, with a root of its own; null: none does
  uint8_t absent = 0;      ///< AbsentMetamethod bits of all members
  uint8_t generation = 0;  ///< how many roots have become stale

  /// __index, if it is a table; else null.
  Table* index() const;
  bool lacks(Metamethod event) const;
};

/// What a shape of metatables knows of them: in which slots they have metamethods, and classes to which such tables belonged.
struct MetatableLayout {
  struct Slot {
    uint32_t slot;  ///< of the property in tables of the shape
    Metamethod event;  ///< whose name is that property's key
  };
  std::vector<Slot> slots;         ///< by event
  static constexpr size_t kRecent = 16;  ///< classes
  std::array<MetatableClass*, kRecent> recent = {};  ///< by what the first metamethod is, mostly the class's table; null: not known

  /// Precondition: there are slots.
  MetatableClass*& recent_like(uint64_t first_payload) { return recent[(first_payload ^ first_payload >> 8) / 16 % kRecent]; }
};

class MetatableClasses {
 public:
  /// The root of tables with that metatable; null is allowed, and not.
  Shape* root_of(Vm& vm, Table* metatable);

  /// Before a metamethod in a table that is somebody's metatable (kUsedAsMetatable) changes.
  void metamethods_change(Vm& vm, Table* metatable);

  /// From now on caches of tables with that root depend on `table`: on keys that it lacks, or on its
  /// metamethods.
  void depend(const Table* table, Shape* root);

  /// Something has changed that caches may depend on: a new key of the table, or its metatable.
  void changes(const Table* table);

  /// For the collector, once marking has ended.
  void forget_dead(const Heap& heap);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::span<const MetamethodEntry> says) const;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::span<const MetamethodEntry> a, std::span<const MetamethodEntry> b) const;
  };

  MetatableClass& find_or_insert(std::span<const MetamethodEntry> says);

  std::unordered_map<std::vector<MetamethodEntry>, std::unique_ptr<MetatableClass>, Hash, Equal> classes_;
  std::unordered_map<const Table*, std::vector<Shape*>> dependents_;  ///< some roots more than once
};

}  // namespace mangata
