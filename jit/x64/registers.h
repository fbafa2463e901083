// Registers, operands and condition codes of x86-64, under the names that compilers use. What the pinned registers mean:
// jit/abi/frame_layout.h. Outside this folder no file of the baseline compiler names a register of the machine.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>

#include "jit/abi/frame_layout.h"
#include "jit/assembler/assembler.h"
#include "vm/bytecode/register.h"

namespace mangata::jit {

using Gp = asmjit::x86::Gp;    ///< a general register
using Xmm = asmjit::x86::Xmm;  ///< one for floats
using Mem = asmjit::x86::Mem;
using Label = asmjit::Label;

// Pinned
inline const Gp kBase = asmjit::x86::rbx;
inline const Gp kThread = asmjit::x86::r12;
inline const Gp kVm = asmjit::x86::r13;
inline const Gp kPath = asmjit::x86::r14;
inline const Gp kStack = asmjit::x86::rsp;

/// Compiled code uses neither of these, and leaves them as they are: quick code relies on that (jit/quick/x64/opcodes.h).
inline const Gp kUnused = asmjit::x86::rbp, kUnusedToo = asmjit::x86::r15;

/// What a function in C keeps, in the order in which it is pushed, with the numbers that debuggers have for it.
inline const struct {
  Gp reg;
  int dwarf_number;
} kCalleeSaved[] = {{asmjit::x86::rbp, 6}, {kBase, 3}, {kThread, 12}, {kVm, 13}, {kPath, 14}, {asmjit::x86::r15, 15}};

/// Free within an instruction, clobbered by calls.
namespace registers {
// a0 to a5: the arguments of C functions, in order. A second machine keeps these to its own argument registers, for emitters
// compute arguments where they are wanted. a3 is also where counts of shifts are.
inline const Gp a0 = asmjit::x86::rdi, a1 = asmjit::x86::rsi, a2 = asmjit::x86::rdx, a3 = asmjit::x86::rcx, a4 = asmjit::x86::r8,
                a5 = asmjit::x86::r9;
// t0 is also the result of C functions, a2 the second half of one of two words.
inline const Gp t0 = asmjit::x86::rax, t1 = asmjit::x86::r10, t2 = asmjit::x86::r11;
// f0 and f1 are also the arguments of C functions, f0 the result.
inline const Xmm f0 = asmjit::x86::xmm0, f1 = asmjit::x86::xmm1, f2 = asmjit::x86::xmm2, f3 = asmjit::x86::xmm3;
}  // namespace registers

/// The lower 32 bits; what writes them clears the upper half.
inline Gp low(const Gp& reg) { return reg.r32(); }
inline Gp low_byte(const Gp& reg) { return reg.r8(); }

// The same by use
inline const Gp kArguments[] = {registers::a0, registers::a1, registers::a2, registers::a3, registers::a4, registers::a5};
inline const Gp kResult = registers::t0;
inline const Gp kOutcome = low(registers::t0);
inline const Gp kTemporary = registers::t0;
inline const Gp kSecondTemporary = registers::a2;
inline const Gp kScratch = registers::t2;  ///< holds nothing between two lines of an emitter
inline const Xmm kFloat = registers::f0;
inline const Xmm kSecondFloat = registers::f1;

enum class Condition : uint8_t {
  Equal = static_cast<uint8_t>(asmjit::x86::CondCode::kE),
  NotEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kNE),
  Zero = Equal,
  NotZero = NotEqual,
  // of signed integers
  Less = static_cast<uint8_t>(asmjit::x86::CondCode::kL),
  LessEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kLE),
  Greater = static_cast<uint8_t>(asmjit::x86::CondCode::kG),
  GreaterEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kGE),
  // of unsigned ones
  Below = static_cast<uint8_t>(asmjit::x86::CondCode::kB),
  BelowEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kBE),
  Above = static_cast<uint8_t>(asmjit::x86::CondCode::kA),
  AboveEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kAE),
  // of floats: those of unsigned integers. Unordered ones are Equal, Below and BelowEqual, too.
  Unordered = static_cast<uint8_t>(asmjit::x86::CondCode::kP),
};
inline Condition opposite(Condition condition) {
  return static_cast<Condition>(asmjit::x86::negateCond(static_cast<asmjit::x86::CondCode>(condition)));
}

/// A register of the running frame.
inline Mem payload_of(Register reg) { return asmjit::x86::qword_ptr(kBase, value_of(reg) * kSlotBytes); }
inline Mem tag_of(Register reg) { return asmjit::x86::qword_ptr(kBase, value_of(reg) * kSlotBytes + kTagOffset); }
/// The low half, which is enough to compare.
inline Mem short_tag_of(Register reg) { return asmjit::x86::dword_ptr(kBase, value_of(reg) * kSlotBytes + kTagOffset); }

inline Mem thread_field(size_t offset) { return asmjit::x86::qword_ptr(kThread, static_cast<int>(offset)); }
inline Mem vm_field(size_t offset) { return asmjit::x86::qword_ptr(kVm, static_cast<int>(offset)); }
/// Of 32 bits.
inline Mem short_vm_field(size_t offset) { return asmjit::x86::dword_ptr(kVm, static_cast<int>(offset)); }
/// A word of the object in `object`; of the running frame's header, for kBase.
inline Mem field(const Gp& object, size_t offset) { return asmjit::x86::qword_ptr(object, static_cast<int>(offset)); }
/// Of 32 bits.
inline Mem short_field(const Gp& object, size_t offset) { return asmjit::x86::dword_ptr(object, static_cast<int>(offset)); }
inline Mem byte_field(const Gp& object, size_t offset) { return asmjit::x86::byte_ptr(object, static_cast<int>(offset)); }

// Memory: words, and what is shorter, at base + (index << shift) + offset.
inline Mem word_at(const Gp& address, int offset = 0) { return asmjit::x86::qword_ptr(address, offset); }
inline Mem short_at(const Gp& address, int offset = 0) { return asmjit::x86::dword_ptr(address, offset); }  ///< of 32 bits
inline Mem half_short_at(const Gp& address, int offset = 0) { return asmjit::x86::word_ptr(address, offset); }  ///< of 16 bits
inline Mem byte_at(const Gp& address, int offset = 0) { return asmjit::x86::byte_ptr(address, offset); }
inline Mem word_at(const Gp& address, const Gp& index, uint32_t shift = 0, int offset = 0) {
  return asmjit::x86::qword_ptr(address, index, shift, offset);
}
inline Mem short_at(const Gp& address, const Gp& index, uint32_t shift = 0, int offset = 0) {
  return asmjit::x86::dword_ptr(address, index, shift, offset);
}
inline Mem byte_at(const Gp& address, const Gp& index, uint32_t shift = 0, int offset = 0) {
  return asmjit::x86::byte_ptr(address, index, shift, offset);
}
/// At an address below 2 GB.
inline Mem word_at(uint64_t address) {
  Mem memory = asmjit::x86::qword_ptr(address);
  memory.setAbs();
  return memory;
}
/// Of an array, which lies below 2 GB, of elements of 1 << shift bytes.
inline Mem element_at(uint64_t array, const Gp& index, uint32_t shift) { return Mem(array, index, shift, 1u << shift); }
inline Mem element_at(const Gp& array, const Gp& index, uint32_t shift) { return Mem(array, index, shift, 0, 1u << shift); }

}  // namespace mangata::jit
