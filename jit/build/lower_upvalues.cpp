// Upvalues, and the table of global names, which is in one (vm/object/function.h).
#include "jit/build/lowering.h"

namespace mangata::jit {

/// The Upvalue of the running function.
ir::Value Lowering::upvalue(int index) {
  const FrameSlot slot = walk_.state.top().callee_slot();
  IrValue closure =
      slot < FrameSlot{0} ? b_.load(IrType::Pointer, b_.frame_address(slot), Memory::Frame) : b_.pointer(values_.read_slot(slot));
  const auto offset =
      static_cast<int64_t>(offsetof(LuaFunction, upvalues) + static_cast<size_t>(index) * sizeof(Upvalue*));
  return b_.load(IrType::Pointer, b_.at(closure, offset), Memory::Header);
}

/// The table of global names, in an upvalue.
Operand Lowering::environment(int index) {
  IrValue location = location_of(b_, upvalue(index));
  IrValue tag = b_.load(IrType::I64, b_.at(location, offsetof(Value, tag)), Memory::Upvalue);
  guards_.guard(b_.eq(tag, b_.word(static_cast<uint64_t>(Tag::Table))));
  return {.kind = Kind::Table, .payload = b_.load(IrType::I64, location, Memory::Upvalue)};
}

bool Lowering::lower_upvalue(const Instruction& in) {
  if (in.op == Opcode::GetUpvalue) {
    values_.write_loaded(in.ra(), location_of(b_, upvalue(in.b)), Memory::Upvalue, false, {});
    return true;
  }
  const Operand value = values_.read(in.ra());
  IrValue owner = upvalue(in.b);
  IrValue location = location_of(b_, owner);
  b_.store(b_.payload_bits(value), location, Memory::Upvalue);
  b_.store(b_.tag_value(value), b_.at(location, offsetof(Value, tag)), Memory::Upvalue);
  heap_.barrier(owner, location, value);
  return true;
}

}  // namespace mangata::jit
