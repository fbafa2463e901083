// Registers and constants as operands of the running instruction, of the kinds that were recorded for it.
#pragma once

#include <optional>

#include "jit/build/guards.h"

namespace mangata::jit {

class Values {
 public:
  Values(Writer& writer, RunningWalk& walk, RegisterFile& registers, Safepoints& safepoints, Guards& guards, WalkQueue& queue)
      : b_(writer), walk_(walk), registers_(registers), safepoints_(safepoints), guards_(guards), queue_(queue) {}

  // --- reading: a scalar-replaced table becomes real
  Operand read(Register reg) { return read_slot(walk_.slot_of(reg)); }
  Operand read_slot(FrameSlot slot);
  /// A register or a constant.
  Operand read_rk(int operand);

  // --- the same, but a scalar-replaced table stays one: it has no payload
  Operand peek(Register reg);
  Operand peek_rk(int operand);
  /// Where the access can be made in it; otherwise it becomes real.
  Operand peek_for(Register reg, const InlineCache& cache);

  // --- kinds: false where the operand is known to be another, or was not recorded as one
  /// The operand as that kind, after a guard if need be.
  bool expect(Operand* operand, Kind kind);
  /// As the kind that was recorded, if there was one.
  bool expect_recorded(Operand* operand, TagMask recorded);
  /// As an Integer, which a Float becomes that is one: a key, a position.
  bool expect_index(Operand* operand, TagMask recorded);
  /// As Integer or Float; where both were recorded, the walk splits.
  bool expect_number(Operand* operand, TagMask recorded);
  /// The operand whose types were recorded as `left`, as a table.
  bool expect_table(Operand* operand);

  /// Of the running instruction's result, where it was always the same, and not nil.
  std::optional<Kind> recorded_result() const;

  // --- writing
  void write(Register reg, const Operand& value) { registers_.set(walk_.slot_of(reg), value); }
  void write_integer(Register reg, IrValue value) { write(reg, {.kind = Kind::Integer, .payload = value}); }
  void write_float(Register reg, IrValue value) { write(reg, {.kind = Kind::Float, .payload = value}); }
  void write_boolean(Register reg, bool value) { write(reg, {.kind = value ? Kind::True : Kind::False}); }
  /// The value as the kind that was recorded for the instruction's result, if there was one.
  void write_as_recorded(Register reg, Operand value);
  /// The same, of a value in memory. Where it may be nil, and the table have a metatable, the walk ends.
  void write_loaded(Register reg, IrValue address, Memory memory, bool nil_needs_no_metatable, IrValue table);
  /// With all that is known of it.
  void copy(FrameSlot to, FrameSlot from);
  /// With all that is known of its register.
  void put(FrameSlot to, const Operand& value) { value.slot != kNoFrameSlot ? copy(to, value.slot) : registers_.set(to, value); }

 private:
  void split(const Operand& operand, Kind other);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  Safepoints& safepoints_;
  Guards& guards_;
  WalkQueue& queue_;
};

}  // namespace mangata::jit
