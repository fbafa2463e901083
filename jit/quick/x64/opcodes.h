// The instructions that selection makes and encoding knows. Some stand for several of the machine's.
//
// Operands stand in this order: what is read, base and index of an address, what is written, temporaries.
#pragma once

#include <cstdint>

#include "jit/quick/code/code.h"

namespace mangata::jit::quick::x64 {

enum class Op : uint16_t {
  Entry,   ///< defines the parameters of the function
  Load,    ///< zero-extended
  LoadSigned,
  LoadFloat,
  Store,
  StoreFloat,
  Lea,
  Add,     ///< of registers or an immediate: result anywhere
  AddTo,
  Sub,
  And,
  Or,
  Xor,
  Mul,  ///< over the first operand
  MulBy,   ///< an immediate, result anywhere
  Neg,
  Not,
  BSwap,
  ShlBy,
  LShrBy,
  AShrBy,
  RotLBy,
  RotRBy,  ///< an immediate
  Shl,
  LShr,
  AShr,
  RotL,
  RotR,  ///< by rcx
  DivideSigned,
  DivideUnsigned,  ///< rax by the second operand: rax, rdx
  MulHigh,         ///< the upper half of rdx times the second operand
  ZeroExtend,
  SignExtend,  ///< from `width`; to 8
  Branch,
  Set,
  Select,
  SelectFloat,  ///< on a condition, after a comparison
  FAdd,
  FSub,
  FMul,
  FDiv,
  FSqrt,
  Round,
  Fma,
  FNeg,
  FAbs,
  IntegerToFloat,
  FloatToInteger,
  FloatToIntegerSaturating,
  BitsOfFloat,
  FloatOfBits,
  StackArea,
  StackPointer,
  StoreArgument,
  StoreArgumentFloat,  ///< to the native stack, for a call
  Call,
  CallCompiled,
  CallFunction,
  Jump,
  Switch,
  Return,
  Unreachable
};

/// What sets the flags of Branch, Set and Select: its operands follow those that are selected.
enum class Compare : uint8_t {
  None,
  Integers,
  Bits,
  Floats
};

/// What the last of the operands that are compared or added is.
enum class Form : uint8_t {
  Any,        ///< a register, a slot or a constant of the pool
  Immediate,
  Memory,
  MemoryImmediate,  ///< of a comparison or store: an address, and a constant
  MemoryRegister    ///< of a comparison: an address, and a register
};

/// Conditions are those of the machine (as in its encodings), and two of floats.
enum Condition : uint8_t {
  kOverflow = 0,
  kBelow = 2,
  kAboveEqual = 3,
  kEqual = 4,
  kNotEqual = 5,
  kBelowEqual = 6,
  kAbove = 7,
  kSign = 8,
  kNotSign = 9,
  kParity = 10,
  kNoParity = 11,
  kLess = 12,
  kGreaterEqual = 13,
  kLessEqual = 14,
  kGreater = 15,
  kFloatEqual = 16,
  kFloatNotEqual = 17
};
inline uint8_t opposite(uint8_t condition) { return condition ^ 1; }

enum : Register {
  kRax = 0,
  kRcx = 1,
  kRdx = 2,
  kRbx = 3,
  kRsp = 4,
  kRbp = 5,
  kRsi = 6,
  kRdi = 7,
  kXmm0 = 16,
  kXmm15 = 31
};

inline constexpr Machine kMachine = {
    .allocatable = 0xffffffff & ~(1u << kRsp) & ~(1u << kXmm15),
    .callee_saved = 1u << kRbx | 1u << kRbp | 0xfu << 12,
    .kept_by_compiled_code = 1u << kRbp | 1u << 12 | 1u << 13 | 1u << 15,  // without the base and the path register
    .float_scratch = kXmm15,
};
/// Of code that keeps a frame pointer.
inline constexpr Machine kMachineWithFramePointer = {
    .allocatable = kMachine.allocatable & ~(1u << kRbp),
    .callee_saved = kMachine.callee_saved,
    .kept_by_compiled_code = kMachine.kept_by_compiled_code,
    .float_scratch = kMachine.float_scratch,
};

/// Where arguments and results are, by C's convention; between functions of a module it goes on where that one ends.
inline constexpr Register kArguments[] = {kRdi, kRsi, kRdx, kRcx, 8, 9, kRax, 10, 11};
inline constexpr size_t kArgumentsOfC = 6;
/// Of ir::Opcode::CallCompiled, in order: the thread, the base, the code, the number of arguments, the virtual machine. The code may be
/// in any other.
inline constexpr Register kArgumentsOfCompiledCode[] = {12, kRbx, kNoRegister, kRcx, 13};
inline constexpr size_t kCodeAmongArguments = 2;
inline constexpr Register kResults[] = {kRax, kRdx, kRcx, kRsi, kRdi, 8, 9, 10, 11};
inline constexpr size_t kFloatArguments = 15;
inline constexpr size_t kFloatArgumentsOfC = 8;

}  // namespace mangata::jit::quick::x64
