// Scalar replacement of tables: those that exist only in the region.
//
// [DESIGN] A new table is not made where the program makes it, but where somebody needs it: a runtime call, a native call, a store in
// a real table, a state that does not fit. Until then it is *scalar-replaced*: its shape is known, its properties are cells like those of
// registers (their slots begin at RegisterFile::kFirstField), and registers that hold it agree in Fact::replaced_table. Most tables of
// vectors, complex numbers and iterators are dead before anybody needs them, and cost nothing. A side exit stores the properties behind the
// frames and complete_exit() makes the tables. This is the partial escape analysis of Stadler, Würthinger and Mössenböck (CGO 2014),
// with the walk in the place of their iteration over the graph: what one path makes, another need not.
//
// read() makes a scalar-replaced table real: what does not know of them never meets one. What knows of them uses peek(). Here is what
// cannot leave; accesses by the program are in scalar_replacement.cpp.
#pragma once

#include <vector>

#include "jit/build/heap_writer.h"
#include "jit/build/register_file.h"

namespace mangata::jit {

/// All that a real table would have known at once: the kinds of its elements.
std::vector<Kind> kinds_of(const ReplacedTable& table);

class ReplacedTables {
 public:
  ReplacedTables(Writer& writer, RunningWalk& walk, RegisterFile& registers, HeapWriter& heap)
      : b_(writer), walk_(walk), registers_(registers), heap_(heap) {}

  /// The slot gets a new one, when it is small, and has either properties, which are named in its constructor, or elements. False: it is to
  /// be made at once.
  bool make(FrameSlot slot, int room, int expected, const Shape* shape);
  /// All that hold the table know its shape.
  void set_shape(FrameSlot slot, const Shape* shape);
  /// With which it has that shape.
  void set_metatable(FrameSlot slot, const Shape* shape, const Table* metatable);
  /// Where a scalar-replaced table has the element, among its fields; -1: it has none, or is real.
  int element_at(FrameSlot slot, int index);

  /// It and all that it leads to are made here. No safepoint: new objects are white, so the collector is told of no store in them.
  void materialize(int id);
  /// All, or those that hold more than numbers. Whether there were any.
  bool materialize_all(bool but_of_numbers);

 private:
  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  HeapWriter& heap_;
};

}  // namespace mangata::jit
