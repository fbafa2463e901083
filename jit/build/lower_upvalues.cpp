// Upvalues, and the table of global names, which is in one (vm/object/function.h).
#include "jit/build/lowering.h"

namespace mangata::jit {

/// The Upvalue of the running function.
ir::Value Lowering::upvalue(int index) {
  const FrameSlot slot = state_.top().callee_slot();
  IrValue closure =
      slot < FrameSlot{0} ? load(IrType::Pointer, frame_address(slot), Memory::Frame) : pointer(read_slot(slot));
  const auto offset =
      static_cast<int64_t>(offsetof(LuaFunction, upvalues) + static_cast<size_t>(index) * sizeof(Upvalue*));
  return load(IrType::Pointer, at(closure, offset), Memory::Header);
}

ir::Value Lowering::location_of(IrValue upvalue) {
  return load(IrType::Pointer, at(upvalue, offsetof(Upvalue, location)), Memory::Header);
}

/// The table of global names, in an upvalue.
Lowering::Operand Lowering::environment(int index) {
  IrValue location = location_of(upvalue(index));
  IrValue tag = load(IrType::I64, at(location, offsetof(Value, tag)), Memory::Upvalue);
  guard(b_.eq(tag, word(static_cast<uint64_t>(Tag::Table))));
  return {.kind = Kind::Table, .payload = load(IrType::I64, location, Memory::Upvalue)};
}

bool Lowering::lower_upvalue(const Instruction& in) {
  if (in.op == Opcode::GetUpvalue) {
    write_loaded(in.ra(), location_of(upvalue(in.b)), Memory::Upvalue, false, {});
    return true;
  }
  const Operand value = read(in.ra());
  IrValue owner = upvalue(in.b);
  IrValue location = location_of(owner);
  store(payload_bits(value), location, Memory::Upvalue);
  store(tag_value(value), at(location, offsetof(Value, tag)), Memory::Upvalue);
  barrier(owner, location, value);
  return true;
}

}  // namespace mangata::jit
