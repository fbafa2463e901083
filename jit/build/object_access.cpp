#include "jit/build/object_access.h"

namespace mangata::jit {

IrValue lacks_metatable(Writer& b, IrValue table) {
  return b.is_null(b.load(IrType::Pointer, b.at(table, offsetof(Table, own_metatable)), Memory::Header));
}

IrValue lacks(Writer& b, IrValue table, AbsentMetamethod metamethod) {
  static const uint8_t kLacking = 0xff;
  IrValue metatable = b.load(IrType::Pointer, b.at(table, offsetof(Table, own_metatable)), Memory::Header);
  IrValue flags = b.select(b.is_null(metatable), b.address_constant(&kLacking), b.at(metatable, offsetof(Table, type_flags)));
  IrValue lacking = b.bit_and(b.load(IrType::I8, flags, Memory::Header), b.i8(metamethod));
  return b.ne(lacking, b.i8(0));
}

IrValue array_size(Writer& b, IrValue table) {
  return b.zext(b.load(IrType::I32, b.at(table, offsetof(Table, type_word)), Memory::Header), IrType::I64);
}

IrValue property(Writer& b, IrValue table, uint32_t slot) {
  IrValue slots = b.load(IrType::Pointer, b.at(table, offsetof(Table, slots)), Memory::Header);
  return b.at(slots, int64_t{slot} * static_cast<int64_t>(sizeof(Value)));
}

IrValue location_of(Writer& b, IrValue upvalue) {
  return b.load(IrType::Pointer, b.at(upvalue, offsetof(Upvalue, location)), Memory::Header);
}

IrValue proto_of(Writer& b, const Operand& function) {
  return b.load(IrType::I64, b.at(b.pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
}

}  // namespace mangata::jit
