// The pinned registers of compiled code on x86-64, and operands that start from them. What they mean: jit/abi/frame_layout.h.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>

#include "jit/abi/frame_layout.h"

namespace mangata::jit {

inline const asmjit::x86::Gp kBase = asmjit::x86::rbx;
inline const asmjit::x86::Gp kThread = asmjit::x86::r12;
inline const asmjit::x86::Gp kVm = asmjit::x86::r13;
inline const asmjit::x86::Gp kPath = asmjit::x86::r14;

/// Register `index` of the running frame; negative indices are the frame header and the function.
inline asmjit::x86::Mem payload_of(int index) { return asmjit::x86::qword_ptr(kBase, index * kSlotBytes); }
inline asmjit::x86::Mem tag_of(int index) { return asmjit::x86::qword_ptr(kBase, index * kSlotBytes + kTagOffset); }
/// The low half, which is enough to compare.
inline asmjit::x86::Mem short_tag_of(int index) {
  return asmjit::x86::dword_ptr(kBase, index * kSlotBytes + kTagOffset);
}

inline asmjit::x86::Mem thread_field(size_t offset) { return asmjit::x86::qword_ptr(kThread, static_cast<int>(offset)); }
inline asmjit::x86::Mem vm_field(size_t offset) { return asmjit::x86::qword_ptr(kVm, static_cast<int>(offset)); }
/// A word of the object in `object`.
inline asmjit::x86::Mem field(const asmjit::x86::Gp& object, size_t offset) {
  return asmjit::x86::qword_ptr(object, static_cast<int>(offset));
}

}  // namespace mangata::jit
