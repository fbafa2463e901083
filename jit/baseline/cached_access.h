// Pieces of the access by field name that the code of a site (emit_cached_access.cpp) and the stubs
// (access_stubs.cpp) have in common. Throughout: rcx the table, rdx its shape, r8 the cache.
#pragma once

#include "jit/x64/registers.h"
#include "vm/interpreter/inline_cache.h"

namespace mangata::jit {

inline void branch_unless_kind(Assembler& a, InlineCache::Kind kind,
                               const Label& target) {
  a.cmp(asmjit::x86::byte_ptr(asmjit::x86::r8, offsetof(InlineCache, kind)), static_cast<int>(kind));
  a.jne(target);
}

/// What the cache knows of other tables is out of date. Clobbers `scratch`, which may be rdx.
inline void branch_unless_epoch(Assembler& a, const Gp& scratch,
                                const Label& target) {
  a.mov(scratch, field(asmjit::x86::rdx, offsetof(Shape, root)));
  a.mov(scratch.r32(), asmjit::x86::dword_ptr(scratch, offsetof(Shape, epoch)));
  a.cmp(scratch.r32(), asmjit::x86::dword_ptr(asmjit::x86::r8, offsetof(InlineCache, epoch)));
  a.jne(target);
}

/// rax := address of the cache's slot in `table`.
inline void load_slot_address(Assembler& a, const Gp& table) {
  a.mov(asmjit::x86::eax, asmjit::x86::dword_ptr(asmjit::x86::r8, offsetof(InlineCache, slot)));
  a.shl(asmjit::x86::rax, kSlotShift);
  a.add(asmjit::x86::rax, field(table, offsetof(Table, slots)));
}

/// rsi, rdi := payload and tag of that slot; the zero flag says that it holds nil. Clobbers rax.
inline void load_slot(Assembler& a, const Gp& table) {
  load_slot_address(a, table);
  a.mov(asmjit::x86::rsi, asmjit::x86::qword_ptr(asmjit::x86::rax));
  a.mov(asmjit::x86::rdi, asmjit::x86::qword_ptr(asmjit::x86::rax, kTagOffset));
  a.test(asmjit::x86::edi, asmjit::x86::edi);
}

}  // namespace mangata::jit
