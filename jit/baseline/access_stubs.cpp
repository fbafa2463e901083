#include "jit/baseline/access_stubs.h"

#include <bit>

#include "jit/baseline/cached_access.h"

namespace mangata::jit {

using namespace asmjit::x86;

void find_shared_cache(Assembler& a, bool for_set, const Label& miss) {
  using Shared = SharedPropertyCache;
  static_assert(sizeof(Shared::Set) == 3 * 64 && std::has_single_bit(Shared::kSetCount));
  const int sets = for_set ? offsetof(Shared, sets) : offsetof(Shared, gets);
  const Label found = a.newLabel();
  constexpr int kKey = offsetof(Shared::Entry, key);
  constexpr int kShape = offsetof(Shared::Entry, cache) + offsetof(InlineCache, shape);
  a.mov(r8, vm_field(offsetof(Vm, property_cache)));
  a.test(r8, r8);
  a.jz(miss);
  a.lea(rax, qword_ptr(r9, rdx, 3));
  a.mov(r10, Shared::kHashFactor);
  a.imul(rax, r10);
  a.shr(rax, Shared::kHashShift);
  a.and_(eax, static_cast<int>(Shared::kSetCount - 1));
  a.lea(eax, qword_ptr(rax, rax, 1));
  a.shl(eax, 6);
  a.add(r8, rax);
  for (size_t i = 0; i < Shared::kSetSize; ++i) {
    const bool is_last = i + 1 == Shared::kSetSize;
    const Label next = is_last ? miss : a.newLabel();
    a.cmp(r9, qword_ptr(r8, sets + kKey));
    a.jne(next);
    a.cmp(rdx, qword_ptr(r8, sets + kShape));
    if (is_last) {
      a.jne(miss);
      break;
    }
    a.je(found);
    a.bind(next);
    a.add(r8, static_cast<int>(sizeof(Shared::Entry)));
  }
  a.bind(found);
  a.add(r8, sets + static_cast<int>(offsetof(Shared::Entry, cache)));
}

namespace {

/// r8 := the cache that is about the shape in rdx: the site's own, which is there, or a shared one.
void find_cache(Assembler& a, bool for_set, const Label& miss) {
  const Label found = a.newLabel();
  a.cmp(rdx, field(r8, offsetof(InlineCache, shape)));
  a.je(found);
  find_shared_cache(a, for_set, miss);
  a.bind(found);
}

void end_with_miss(Assembler& a, const Label& miss) {
  a.bind(miss);
  a.stc();
  a.ret();
}
}  // namespace

void emit_get_by_cache(Assembler& a) {
  const Label hit = a.newLabel(), not_own = a.newLabel(), not_in_holder = a.newLabel(), miss = a.newLabel();
  find_cache(a, /*for_set=*/false, miss);
  branch_unless_kind(a, InlineCache::kOwn, not_own);
  load_slot(a, rcx);
  a.jnz(hit);
  a.cmp(field(rcx, offsetof(Table, own_metatable)), 0);  // a nil may be absent when there is one
  a.je(hit);
  branch_unless_epoch(a, rdx, miss);
  a.bind(hit);
  a.clc();
  a.ret();
  a.bind(not_own);
  branch_unless_epoch(a, rax, miss);
  branch_unless_kind(a, InlineCache::kMetatable, not_in_holder);
  a.mov(rdx, field(r8, offsetof(InlineCache, holder)));
  a.mov(rax, field(r8, offsetof(InlineCache, holder_shape)));
  a.cmp(rax, field(rdx, offsetof(Table, shape)));
  a.jne(miss);
  load_slot(a, rdx);
  a.jnz(hit);
  a.jmp(miss);
  a.bind(not_in_holder);
  branch_unless_kind(a, InlineCache::kAbsent, miss);
  a.xor_(esi, esi);
  a.xor_(edi, edi);
  a.jmp(hit);
  end_with_miss(a, miss);
}

void emit_set_by_cache(Assembler& a) {
  const Label store = a.newLabel(), not_own = a.newLabel(), miss = a.newLabel();
  find_cache(a, /*for_set=*/true, miss);
  branch_unless_kind(a, InlineCache::kOwn, not_own);
  load_slot_address(a, rcx);
  a.cmp(dword_ptr(rax, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  a.jne(store);
  a.mov(r10, field(rcx, offsetof(Table, own_metatable)));
  a.test(r10, r10);
  a.jz(store);
  a.test(byte_ptr(r10, offsetof(Table, type_flags)), kNoNewIndex);
  a.jz(miss);
  a.bind(store);
  a.mov(qword_ptr(rax), rsi);
  a.mov(qword_ptr(rax, kTagOffset), rdi);
  a.clc();
  a.ret();
  a.bind(not_own);
  branch_unless_kind(a, InlineCache::kAdd, miss);
  branch_unless_epoch(a, rax, miss);
  a.mov(eax, dword_ptr(r8, offsetof(InlineCache, slot)));
  a.cmp(eax, dword_ptr(rcx, offsetof(Table, slot_capacity)));
  a.jae(miss);
  a.cmp(byte_ptr(rcx, offsetof(Table, type_flags)), 0);  // the key may be a "__" key
  a.jnz(miss);
  a.test(edi, edi);
  a.jz(miss);
  a.mov(rdx, field(r8, offsetof(InlineCache, new_shape)));
  a.mov(field(rcx, offsetof(Table, shape)), rdx);
  a.shl(rax, 4);
  a.add(rax, field(rcx, offsetof(Table, slots)));
  a.jmp(store);
  end_with_miss(a, miss);
}

}  // namespace mangata::jit
