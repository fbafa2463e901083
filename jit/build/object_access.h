// Where objects of the heap have what generated code looks at. What is asked for is written, and nothing else.
#pragma once

#include "jit/build/writer.h"
#include "vm/object/table.h"

namespace mangata::jit {

IrValue lacks_metatable(Writer& b, IrValue table);
/// The table has no metatable, or one that is known to lack the metamethod. Flags of our own stand for the metatable that is not there.
IrValue lacks(Writer& b, IrValue table, AbsentMetamethod metamethod);
/// Of its elements, as an i64.
IrValue array_size(Writer& b, IrValue table);
/// Where the table has the property of that slot.
IrValue property(Writer& b, IrValue table, uint32_t slot);
/// Where the upvalue has its value.
IrValue location_of(Writer& b, IrValue upvalue);
/// Of a function of Lua, as an i64.
IrValue proto_of(Writer& b, const Operand& function);

}  // namespace mangata::jit
