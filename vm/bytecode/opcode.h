// The opcodes as an enum, and what each one is (from the one table, opcodes.def).
#pragma once

#include <cstdint>
#include <string_view>

namespace mangata {

enum class Opcode : uint8_t {
#define OP(name, ...) name,
#include "vm/bytecode/opcodes.def"
};

inline constexpr int kOpcodeCount = 0
#define OP(name, ...) +1
#include "vm/bytecode/opcodes.def"
    ;

/// How operands are laid out and printed.
enum class OperandFormat : uint8_t {
#define FORMAT(name) name,
#include "vm/bytecode/formats.def"
};

/// Where control goes after the instruction.
enum class ControlFlow : uint8_t {
  Next,    ///< only the next instruction
  Jump,    ///< always pc + imm
  Branch,  ///< the next instruction, or pc + imm
  Return,  ///< leaves the function
};

enum OpcodeEffect : uint8_t {
  kPure = 0,
  kMayThrow = 1,  ///< can raise an error or call a metamethod: a safepoint, stores its pc first
  kMayGc = 2,     ///< can allocate: a safepoint
};

struct OpcodeInfo {
  std::string_view name;  ///< as in opcodes.def
  OperandFormat format;
  ControlFlow flow;
  uint8_t effects;  ///< kMayThrow, kMayGc and so on, or-ed
};

extern const OpcodeInfo kOpcodeInfo[kOpcodeCount];

inline const OpcodeInfo& opcode_info(Opcode op) { return kOpcodeInfo[static_cast<int>(op)]; }

}  // namespace mangata
