// What an instruction of the family Load puts into registers: all that analyses need to know of the family.
#pragma once

#include <span>

#include "vm/bytecode/instruction.h"
#include "vm/bytecode/opcode_facts.h"
#include "vm/value/value.h"

namespace mangata {

/// Precondition: family_of(in.op) is Load. Of LoadNil each of the registers gets it (register_effects.h).
inline Value loaded_value(std::span<const Value> constants, const Instruction& in) {
  static_assert(family_size(OpcodeFamily::Load) == 6);
  switch (in.op) {
    case Opcode::LoadInteger: return Value::integer(in.imm);
    case Opcode::LoadFloat: return Value::number(in.imm);
    case Opcode::LoadConstant: return constants[static_cast<size_t>(in.imm)];
    case Opcode::LoadFalse: return Value::boolean(false);
    case Opcode::LoadTrue: return Value::boolean(true);
    default: return Value::nil();
  }
}

}  // namespace mangata
