// The header that every heap object starts with, and the kinds of heap objects.
//
// Mark bits live beside the objects, in their block (vm/heap/block.h); the header holds what a type needs and two bits
// for the collector. Objects never move.
#pragma once

#include <cstdint>

namespace mangata {

enum class ObjectType : uint8_t {
  Free = 0,  ///< a cell without an object
  String,
  Table,
  LuaFunction,
  NativeFunction,
  Userdata,
  Thread,
  // Never in a Value:
  Upvalue,
  Proto,
  Shape,
  Bytes,   ///< raw storage without references (int and float elements)
  Values,  ///< storage of Values (property slots, any-elements); traced by its owner
  Nodes,   ///< hash part of a table; traced by its owner
};

struct Object {
  enum Flag : uint8_t {
    kLarge = 1,         ///< allocated on its own, not in a block; the mark is in the LargeHeader before it
    kGrayAgain = 2,     ///< waiting to be traced a second time in the atomic phase
    kHasFinalizer = 4,  ///< in the list of objects with a __gc metamethod
    kFinalized = 8,     ///< its finalizer was called or is about to be
    kDestructible = 16, ///< has a C++ destructor that the collector runs
  };
  ObjectType type;
  uint8_t gc_flags;  ///< GcFlags, or-ed
  uint8_t type_flags = 0;  ///< meaning depends on the type
  uint8_t type_byte = 0;   ///< meaning depends on the type
  uint32_t type_word = 0;  ///< meaning depends on the type
};
static_assert(sizeof(Object) == 8);

}  // namespace mangata
