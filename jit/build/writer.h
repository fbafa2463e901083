// What writes operations: the builder of the IR, with the words that all code of a region uses (its thread, its frame, values of Lua).
// Knows nothing of what is known of registers, nor of where the walk is.
//
// Read next: register_file.h.
#pragma once

#include <optional>

#include "jit/build/operand.h"
#include "jit/ir/builder.h"

namespace mangata::jit {

class Writer : public ir::Builder {
 public:
  /// Of repetitions it does not know: passes find them.
  Writer() : Builder(nullptr, {.constants = true, .identities = false, .repetitions = false, .addresses = true}) {}

  /// All that is made goes there. The first parameters of the function are those that follow.
  void begin(ir::Function* function);
  IrValue thread() const { return thread_; }
  IrValue base() const { return base_; }
  IrValue vm() const { return vm_; }

  /// A constant, as an i64.
  IrValue word(uint64_t value) { return i64(value); }
  /// Of an integer or a Bool; none: it is no constant.
  std::optional<uint64_t> known_word(IrValue value) const { return function().constant_of(value); }
  IrValue address_constant(const void* address) { return Builder::pointer(address); }
  IrValue at(IrValue pointer, int64_t offset) { return address(pointer, offset); }
  /// Of a slot of the region's stack.
  IrValue frame_address(FrameSlot slot, int offset = 0) {
    return at(base_, int64_t{value_of(slot)} * static_cast<int64_t>(sizeof(Value)) + offset);
  }

  Block make_block(const char* name) { return new_block(name); }
  /// What `steps` write goes to that block, or where they go from there. What is written next goes where it went before.
  template <typename Steps>
  void write_in(Block block, Steps steps) {
    const Block resume = position();
    set_position(block);
    steps();
    set_position(resume);
  }
  /// Which way the branch mostly takes.
  void set_likely(IrValue branch, bool likely);
  /// Ends the function. What else it returns counts only behind a return.
  void return_status(IrValue status);

  // --- operands
  /// A value of any kind, from memory.
  Operand load_value(IrValue address, Memory memory);
  /// Payload and tag.
  void store_value(const Operand& value, IrValue address, Memory memory);
  /// Of a number.
  IrValue as_double(const Operand& operand);
  IrValue tag_value(const Operand& operand);
  /// The payload as a frame slot holds it.
  IrValue payload_bits(const Operand& operand);
  /// Of an object.
  IrValue pointer(const Operand& operand) { return integer_to_pointer(operand.payload); }
  Operand constant_value(const Value& value);

 private:
  IrValue thread_, base_, vm_;
};

}  // namespace mangata::jit
