// Registers as unboxed values: what is known of each, and the variables of the IR that hold it.
//
// [DESIGN] Slots are those of the region's stack (jit/build/README.md, "Which number is what"), and behind them those of the properties of
// scalar-replaced tables, which are held as registers are. What is asked for here has no effect that a program could see, and cannot leave:
// whoever needs a table to be real has it made first (ReplacedTables).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "jit/build/running_walk.h"
#include "jit/build/writer.h"

namespace mangata::jit {

class RegisterFile {
 public:
  RegisterFile(Writer& writer, RunningWalk& walk, const RegionFunction& root) : b_(writer), walk_(walk), root_(root) {}

  // --- what is known
  Fact& fact(FrameSlot slot);
  /// By a closure: the value is in the frame, and nothing is known of it.
  bool is_captured(FrameSlot slot) const { return value_of(slot) < root_.register_count && root_.captured.test(static_cast<size_t>(slot)); }
  /// It holds a table that exists only in the region.
  bool is_replaced(FrameSlot slot) { return slot != kNoFrameSlot && fact(slot).replaced_table >= 0; }
  bool is_replaced(const Operand& operand) { return is_replaced(operand.slot); }
  /// Precondition: is_replaced(slot).
  ReplacedTable& replaced_table(FrameSlot slot) { return walk_.state.tables[static_cast<size_t>(fact(slot).replaced_table)]; }
  /// Properties of scalar-replaced tables have numbers behind those of slots.
  static constexpr FrameSlot kFirstField{1 << 16};
  /// Of a property of the table `id`.
  static FrameSlot field_slot(int id, uint32_t field) { return kFirstField + id * ReplacedTable::kMostFields + static_cast<int>(field); }
  // --- what is known of a table in a register: nothing of one that a closure has captured, or that is in none
  /// Null: it is not known.
  const Shape* shape_of(const Operand& table) { return table.slot != kNoFrameSlot ? fact(table.slot).shape : nullptr; }
  /// Its ElementKind, or Fact::kUnknownElements.
  uint8_t elements_of(const Operand& table) { return table.slot != kNoFrameSlot ? fact(table.slot).elements : Fact::kUnknownElements; }
  /// It has been found to have that shape.
  void know_shape(const Operand& table, const Shape* shape) {
    if (may_know(table)) fact(table.slot).shape = shape;
  }
  /// The same, of its ElementKind.
  void know_elements(const Operand& table, uint8_t kind) {
    if (may_know(table)) fact(table.slot).elements = kind;
  }
  /// Tables may have changed.
  void forget_tables();
  /// A table of that shape has changed, and other registers may hold the same one.
  void forget_shape(const Shape* shape);

  // --- values
  /// Precondition: not is_replaced(slot).
  Operand get(FrameSlot slot) { return read(slot, &Writer::get); }
  /// The same, for a store or jump: its payload and tag may be variables (ir::Builder::held_by).
  Operand held(FrameSlot slot) { return read(slot, &Writer::held_by); }
  /// Captured: stores it.
  void set(FrameSlot slot, const Operand& value);
  /// With all that is known. A scalar-replaced table stays one. Precondition: not from a replaced to a captured one.
  void copy(FrameSlot to, FrameSlot from);
  /// The frame has a new value.
  void forget(Register reg) { fact(walk_.slot_of(reg)) = {}; }
  /// Stores the value in the frame.
  void store(FrameSlot slot);
  /// Of the running function.
  Operand constant(int index) { return b_.constant_value(walk_.function().constants[static_cast<size_t>(index)]); }

  // --- variables of the IR
  ir::Variable payload_cell(FrameSlot slot) { return cell(slot, Part::Payload); }
  ir::Variable float_cell(FrameSlot slot) { return cell(slot, Part::Float); }
  ir::Variable tag_cell(FrameSlot slot) { return cell(slot, Part::Tag); }
  /// The path register (path_events.h) of the frame there.
  ir::Variable path_cell(FrameSlot base) { return cell(base, Part::Path); }

  // --- the stack
  void need_stack_to(FrameSlot end) { stack_slots_ = std::max(stack_slots_, value_of(end)); }
  int stack_slots() const { return stack_slots_; }

 private:
  bool may_know(const Operand& table) const { return table.slot != kNoFrameSlot && !is_captured(table.slot); }
  enum class Part : uint8_t {
    Payload,
    Float,
    Tag,
    Path
  };
  using Cells = std::array<ir::Variable, 4>;  ///< by part
  ir::Variable cell(FrameSlot slot, Part part);
  Operand read(FrameSlot slot, IrValue (ir::Builder::*read_variable)(ir::Variable));

  Writer& b_;
  RunningWalk& walk_;
  const RegionFunction& root_;
  std::vector<Cells> slots_, fields_;  ///< by number; from kFirstField on
  int stack_slots_ = 0;  ///< that the region uses
};

}  // namespace mangata::jit
