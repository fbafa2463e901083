#include "jit/build/lower_upvalues.h"

namespace mangata::jit {
namespace {

/// The Upvalue of the running function.
IrValue upvalue(const LoweringTools& t, int index) {
  Writer& b = t.b;
  const FrameSlot slot = t.walk.state.top().callee_slot();
  IrValue closure =
      slot < FrameSlot{0} ? b.load(IrType::Pointer, b.frame_address(slot), Memory::Frame) : b.pointer(t.values.read_slot(slot));
  const auto offset =
      static_cast<int64_t>(offsetof(LuaFunction, upvalues) + static_cast<size_t>(index) * sizeof(Upvalue*));
  return b.load(IrType::Pointer, b.at(closure, offset), Memory::Header);
}

}  // namespace

Operand environment(const LoweringTools& t, int index) {
  Writer& b = t.b;
  IrValue location = location_of(b, upvalue(t, index));
  IrValue tag = b.load(IrType::I64, b.at(location, offsetof(Value, tag)), Memory::Upvalue);
  t.guards.guard(b.eq(tag, b.word(static_cast<uint64_t>(Tag::Table))));
  return {.kind = Kind::Table, .payload = b.load(IrType::I64, location, Memory::Upvalue)};
}

bool lower_upvalue(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (in.op == Opcode::GetUpvalue) {
    t.values.write_loaded(in.ra(), location_of(b, upvalue(t, in.b)), Memory::Upvalue, false, {});
    return true;
  }
  const Operand value = t.values.read(in.ra());
  IrValue owner = upvalue(t, in.b);
  IrValue location = location_of(b, owner);
  b.store_value(value, location, Memory::Upvalue);
  t.heap.barrier(owner, location, value);
  return true;
}

}  // namespace mangata::jit
