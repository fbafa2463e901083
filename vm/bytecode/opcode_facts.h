// What the tiers ask of an opcode beside its operands: its family, and the registers that it reads and writes.
#pragma once

#include "vm/bytecode/opcode.h"
#include "vm/bytecode/register_groups.h"

// Where families are known, a switch that leaves one out does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace mangata {

/// What is treated in one place.
enum class OpcodeFamily : uint8_t {
#define FAMILY(name) name,
#include "vm/bytecode/families.def"
};

struct OpcodeFacts {
  OpcodeFamily family;
  uint32_t reads;   ///< RegisterGroup bits
  uint32_t writes;  ///< likewise
};

inline constexpr OpcodeFacts kOpcodeFacts[kOpcodeCount] = {
#define OP(name, family, format, flow, effects, reads, writes) {OpcodeFamily::family, reads, writes},
#include "vm/bytecode/opcodes.def"
};

constexpr const OpcodeFacts& opcode_facts(Opcode op) { return kOpcodeFacts[static_cast<int>(op)]; }
constexpr OpcodeFamily family_of(Opcode op) { return opcode_facts(op).family; }

/// For a static_assert where code tells the members of a family apart: another one does not compile until it has been seen to.
constexpr int family_size(OpcodeFamily family) {
  int size = 0;
  for (const OpcodeFacts& facts : kOpcodeFacts) size += facts.family == family;
  return size;
}

/// The right operand of a binary operator is a constant.
inline bool has_constant_operand(Opcode op) { return opcode_info(op).format == OperandFormat::RaRbKc; }

inline bool has_jump(Opcode op) {
  const ControlFlow flow = opcode_info(op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch;
}

}  // namespace mangata
