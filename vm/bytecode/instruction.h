// One bytecode instruction: 64 bits, fixed width.
//
//     | op 8 | a 8 | b 16 | c 16 | d 16 |      or      | op 8 | a 8 | b 16 | imm 32 |
//
// Registers fit in 8 bits, constant indices and inline-cache indices in 16 (larger ones take the slower generic opcodes),
// jumps and wide constant indices in 32. Comparisons carry their jump, so a conditional branch is one dispatch.
#pragma once

#include <cstdint>

#include "vm/bytecode/opcode.h"
#include "vm/bytecode/register.h"

namespace mangata {

struct Instruction {
  Opcode op;  ///< says which of the operands count: opcode_info(op).format
  uint8_t a;  ///< mostly the register written
  uint16_t b;  ///< register, constant or number: opcodes.def
  union {
    struct {
      uint16_t c;
      uint16_t d;
    };
    int32_t imm;
  };

  /// R[a], R[b], R[c]: of formats that have a register there.
  constexpr Register ra() const { return Register{a}; }
  constexpr Register rb() const { return Register{b}; }
  constexpr Register rc() const { return Register{c}; }

  /// Operands must fit into their fields, which is not checked.
  static Instruction abcd(Opcode op, int a, int b = 0, int c = 0, int d = 0) {
    Instruction in;
    in.op = op;
    in.a = static_cast<uint8_t>(a);
    in.b = static_cast<uint16_t>(b);
    in.c = static_cast<uint16_t>(c);
    in.d = static_cast<uint16_t>(d);
    return in;
  }
  /// The same, with a signed number in place of c and d.
  static Instruction abi(Opcode op, int a, int b, int32_t imm) {
    Instruction in;
    in.op = op;
    in.a = static_cast<uint8_t>(a);
    in.b = static_cast<uint16_t>(b);
    in.imm = imm;
    return in;
  }
};
static_assert(sizeof(Instruction) == 8);

/// A jump from the end of a loop to its head: only these go back (verifier.cpp).
constexpr bool is_backedge(const Instruction& in) {
  return (in.op == Opcode::Jump && in.a != 0) || in.op == Opcode::ForLoop || in.op == Opcode::GenericForLoop;
}

/// A c operand of format RK is a register, or with this bit set a constant index.
inline constexpr uint16_t kConstantOperand = 0x8000;
/// The largest constant index that fits an RK operand / a 16-bit constant operand / an inline-cache operand.
inline constexpr int kMaxRkConstant = 0x7fff;
inline constexpr int kMaxShortConstant = 0xffff;
inline constexpr int kNoInlineCache = 0xffff;  ///< d operand of an access without an inline cache
inline constexpr int kMaxInlineCaches = 0xffff;

/// The d operand of the arithmetic instructions whose c is a constant.
inline constexpr int kOperandsSwapped = 1;
inline constexpr int kSubtractsZero = 2;  ///< AddConstant only: K[c] is 0, the operator in the source is -

}  // namespace mangata
