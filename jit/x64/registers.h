// Registers, operands and condition codes of x86-64, under the names that compilers use. What the pinned registers mean:
// jit/abi/frame_layout.h.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>

#include "jit/abi/frame_layout.h"

namespace mangata::jit {

using Assembler = asmjit::x86::Assembler;
using Gp = asmjit::x86::Gp;    ///< a general register
using Xmm = asmjit::x86::Xmm;  ///< one for floats
using Mem = asmjit::x86::Mem;
using Label = asmjit::Label;

// Pinned
inline const Gp kBase = asmjit::x86::rbx;
inline const Gp kThread = asmjit::x86::r12;
inline const Gp kVm = asmjit::x86::r13;
inline const Gp kPath = asmjit::x86::r14;

// Of the C calling convention
inline const Gp kArguments[] = {asmjit::x86::rdi, asmjit::x86::rsi, asmjit::x86::rdx, asmjit::x86::rcx, asmjit::x86::r8, asmjit::x86::r9};
inline const Gp kResult = asmjit::x86::rax;
inline const Gp kOutcome = asmjit::x86::eax;  ///< the low half

// Free within an instruction
inline const Gp kTemporary = asmjit::x86::rax;
inline const Gp kSecondTemporary = asmjit::x86::rdx;
inline const Gp kScratch = asmjit::x86::r11;  ///< holds nothing between two lines of an emitter
inline const Xmm kFloat = asmjit::x86::xmm0;
inline const Xmm kSecondFloat = asmjit::x86::xmm1;

enum class Condition : uint8_t {
  Equal = static_cast<uint8_t>(asmjit::x86::CondCode::kE),
  NotEqual = static_cast<uint8_t>(asmjit::x86::CondCode::kNE),
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
};
inline Condition opposite(Condition condition) {
  return static_cast<Condition>(asmjit::x86::negateCond(static_cast<asmjit::x86::CondCode>(condition)));
}

/// Register `index` of the running frame; negative indices are the frame header and the function.
inline Mem payload_of(int index) { return asmjit::x86::qword_ptr(kBase, index * kSlotBytes); }
inline Mem tag_of(int index) { return asmjit::x86::qword_ptr(kBase, index * kSlotBytes + kTagOffset); }
/// The low half, which is enough to compare.
inline Mem short_tag_of(int index) { return asmjit::x86::dword_ptr(kBase, index * kSlotBytes + kTagOffset); }

inline Mem thread_field(size_t offset) { return asmjit::x86::qword_ptr(kThread, static_cast<int>(offset)); }
inline Mem vm_field(size_t offset) { return asmjit::x86::qword_ptr(kVm, static_cast<int>(offset)); }
/// Of 32 bits.
inline Mem short_vm_field(size_t offset) { return asmjit::x86::dword_ptr(kVm, static_cast<int>(offset)); }
/// A word of the object in `object`; of the running frame's header, for kBase.
inline Mem field(const Gp& object, size_t offset) { return asmjit::x86::qword_ptr(object, static_cast<int>(offset)); }
inline Mem word_at(const Gp& address, int offset = 0) { return asmjit::x86::qword_ptr(address, offset); }

}  // namespace mangata::jit
