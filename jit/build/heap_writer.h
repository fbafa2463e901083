// New objects, as baseline code makes them (jit/baseline/emit_allocation.cpp): bump allocation inline, no runtime call while there is room.
// And what the collector is told of stores.
//
// Nothing here is a safepoint, so values stay unboxed: the collector makes its step later (lower_allocation.cpp).
#pragma once

#include <optional>
#include <vector>

#include "jit/abi/region_runtime.h"
#include "jit/build/writer.h"
#include "vm/object/table.h"

namespace mangata::jit {

/// Of a new table with values of these kinds, at least one. None: with those that are not known, all might be numbers of one kind.
std::optional<ElementKind> element_kind_of(const std::vector<Kind>& kinds);

class HeapWriter {
 public:
  HeapWriter(Writer& writer, const RegionRuntime& runtime) : b_(writer), runtime_(runtime) {}

  /// A table without elements, of which so many are expected, as a pointer.
  IrValue make_table(const Shape* shape, const Table* metatable, uint32_t room, int elements);
  /// Of a table without elements and hash part: these are its elements.
  void make_elements(IrValue table, ElementKind kind, const std::vector<Operand>& values);
  /// The same where their kind depends on values whose kinds are not known.
  void make_elements_of_unknown_kind(IrValue table, const std::vector<Operand>& values);
  /// Behind a store of the value there, in an object.
  void barrier(IrValue owner, IrValue location, const Operand& value);
  /// `function` is what the collector is told by: one of RegionRuntime's barriers.
  void barrier(IrValue owner, IrValue location, const void* function);

 private:
  IrValue allocate(ObjectType type, size_t size_bytes);

  Writer& b_;
  const RegionRuntime& runtime_;
};

}  // namespace mangata::jit
