// Access by field name: what vm/interpreter/inline_cache.h does on a hit, by machine code. One case is
// inline, the one that the site has met; the others are stubs (access_stubs.h). Dictionaries and misses are
// runtime calls.
//
// Throughout: rcx the table, rdx its shape, r8 the cache.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::load_operand(Gp payload, Gp tag, int operand) {
  if ((operand & kConstantOperand) != 0) {
    const Value& k = proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)];
    load_immediate(payload, k.payload);
    load_immediate(tag, tag_bits(k.tag));
  } else {
    a_.mov(payload, payload_of(operand));
    a_.mov(tag, tag_of(operand));
  }
}

bool BaselineCompiler::may_be_collectable(int operand) const {
  return (operand & kConstantOperand) == 0 ||
         proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)].is_collectable();
}

void BaselineCompiler::emit_barrier(Gp owner, Gp location, StoreBarrier barrier) {
  const Label resume = a_.newLabel();
  const Label marking = slow_path([this, owner, location, barrier, resume] {
    a_.mov(rdx, location);
    a_.mov(rsi, owner);
    a_.mov(rdi, kVm);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(barrier)));
    a_.jmp(resume);
  });
  a_.cmp(byte_ptr(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  a_.jne(marking);
  a_.bind(resume);
}

/// Loads the shape and the cache; jumps to `other` unless the cache is about that shape and has that kind.
void BaselineCompiler::emit_cache_guard(int cache_index, InlineCache::Kind kind, const Label& other) {
  load_immediate(r8, address_of(&proto_->caches[static_cast<size_t>(cache_index)]));
  a_.mov(rdx, field(rcx, offsetof(Table, shape)));
  a_.cmp(rdx, field(r8, offsetof(InlineCache, shape)));
  a_.jne(other);
  branch_unless_kind(a_, kind, other);
}

/// r8 := the site's second cache where that is about the shape in rdx; otherwise jumps to `other`. Clobbers r10.
void BaselineCompiler::emit_second_cache(int cache_index, const Label& other) {
  load_immediate(r10, address_of(&proto_->second_caches[static_cast<size_t>(cache_index)]));
  a_.cmp(rdx, field(r10, offsetof(InlineCache, shape)));
  a_.jne(other);
  a_.mov(r8, r10);
}

/// Every case of a get that is not inline, with what emit_cache_guard has loaded. The own property of tables with the second shape
/// needs no call.
void BaselineCompiler::emit_get_other(int cache_index, const Value& key, int to, const Label& miss) {
  const Label by_stub = a_.newLabel(), done = a_.newLabel();
  emit_second_cache(cache_index, by_stub);
  branch_unless_kind(a_, InlineCache::kOwn, by_stub);
  load_slot(a_, rcx);
  a_.jz(by_stub);
  a_.mov(payload_of(to), rsi);
  a_.mov(tag_of(to), rdi);
  a_.jmp(done);
  a_.bind(by_stub);
  emit_get_by_stub(key, to, miss);
  a_.bind(done);
}

void BaselineCompiler::emit_get_by_stub(const Value& key, int to, const Label& miss) {
  load_immediate(r9, key.payload);
  a_.call(asmjit::imm(address_of(thunks_.get_by_cache)));
  a_.jc(miss);
  a_.mov(payload_of(to), rsi);
  a_.mov(tag_of(to), rdi);
}

void BaselineCompiler::emit_set_other(int cache_index, const Value& key, int operand, const Label& miss) {
  const Label by_stub = a_.newLabel();
  emit_second_cache(cache_index, by_stub);
  a_.bind(by_stub);
  load_immediate(r9, key.payload);
  load_operand(rsi, rdi, operand);
  a_.call(asmjit::imm(address_of(thunks_.set_by_cache)));
  a_.jc(miss);
  emit_barrier(rcx, rax, barrier_of_new_property);
}

/// R[to] := the table's own property. Nil counts without a metatable, and where the cache knows that there is no other.
void BaselineCompiler::emit_get_own(int to, const Label& miss) {
  const Label found = a_.newLabel();
  const Label is_nil = slow_path([this, miss, found] {
    a_.cmp(field(rcx, offsetof(Table, own_metatable)), 0);
    a_.je(found);
    branch_unless_epoch(a_, rdx, miss);
    a_.jmp(found);
  });
  load_slot(a_, rcx);
  a_.jz(is_nil);
  a_.bind(found);
  a_.mov(payload_of(to), rsi);
  a_.mov(tag_of(to), rdi);
}

/// R[to] := the property of a table that __index leads to.
void BaselineCompiler::emit_get_from_holder(int to, const Label& miss) {
  branch_unless_epoch(a_, rax, miss);
  a_.mov(rdx, field(r8, offsetof(InlineCache, holder)));
  a_.mov(rsi, field(rdx, offsetof(Table, shape)));
  a_.cmp(rsi, field(r8, offsetof(InlineCache, holder_shape)));
  a_.jne(miss);
  load_slot(a_, rdx);
  a_.jz(miss);
  a_.mov(payload_of(to), rsi);
  a_.mov(tag_of(to), rdi);
}

/// R[to] := nil, which the cache knows to be the result.
void BaselineCompiler::emit_get_absent(int to, const Label& miss) {
  branch_unless_epoch(a_, rax, miss);
  store_constant(to, Value::nil());
}

void BaselineCompiler::emit_get_of_kind(InlineCache::Kind kind, int to, const Label& miss) {
  switch (kind) {
    case InlineCache::kMetatable:
      return emit_get_from_holder(to, miss);
    case InlineCache::kAbsent:
      return emit_get_absent(to, miss);
    case InlineCache::kHandler:
      a_.jmp(miss);
      return;
    default:
      return emit_get_own(to, miss);
  }
}

void BaselineCompiler::emit_cached_get(int cache_index, const Value& key, int to, InlineCache::Kind expected,
                                       const Label& miss) {
  using Kind = InlineCache::Kind;
  const Kind seen = proto_->caches[static_cast<size_t>(cache_index)].kind;
  const Kind first =
      seen == Kind::kOwn || seen == Kind::kMetatable || seen == Kind::kAbsent || seen == Kind::kHandler ? seen : expected;
  const Label done = a_.newLabel();
  const Label others = slow_path([this, cache_index, key, to, miss, done] {
    emit_get_other(cache_index, key, to, miss);
    a_.jmp(done);
  });
  emit_cache_guard(cache_index, first, others);
  emit_get_of_kind(first, to, miss);
  a_.bind(done);
}

/// The property := operand. A nil counts as absent when the metatable may have __newindex.
void BaselineCompiler::emit_set_own(int operand, const Label& miss) {
  const Label found = a_.newLabel();
  const Label is_nil = slow_path([this, miss, found] {
    a_.mov(rsi, field(rcx, offsetof(Table, own_metatable)));
    a_.test(rsi, rsi);
    a_.jz(found);
    a_.test(byte_ptr(rsi, offsetof(Table, type_flags)), kNoNewIndex);
    a_.jz(miss);
    a_.jmp(found);
  });
  load_slot_address(a_, rcx);
  a_.cmp(dword_ptr(rax, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  a_.je(is_nil);
  a_.bind(found);
  load_operand(rsi, rdi, operand);
  a_.mov(qword_ptr(rax), rsi);
  a_.mov(qword_ptr(rax, kTagOffset), rdi);
  if (may_be_collectable(operand)) emit_barrier(rcx, rax, barrier_of_value);
}

/// A new property: the table gets the shape that the cache knows.
void BaselineCompiler::emit_set_new(const Value& key, int operand, const Label& miss) {
  a_.mov(eax, dword_ptr(r8, offsetof(InlineCache, slot)));
  a_.cmp(eax, dword_ptr(rcx, offsetof(Table, slot_capacity)));
  a_.jae(miss);
  branch_unless_epoch(a_, rdx, miss);
  a_.test(byte_ptr(rcx, offsetof(Table, type_flags)), key.as_string()->is_metamethod_name() ? 0xff : kIndexIntermediate);
  a_.jnz(miss);
  load_operand(rsi, rdi, operand);
  a_.test(edi, edi);
  a_.jz(miss);
  a_.mov(rdx, field(r8, offsetof(InlineCache, new_shape)));
  a_.shl(rax, kSlotShift);
  a_.add(rax, field(rcx, offsetof(Table, slots)));
  a_.mov(field(rcx, offsetof(Table, shape)), rdx);
  a_.mov(qword_ptr(rax), rsi);
  a_.mov(qword_ptr(rax, kTagOffset), rdi);
  emit_barrier(rcx, rax, barrier_of_new_property);
}

void BaselineCompiler::emit_cached_set(int cache_index, const Value& key, int operand, const Label& miss) {
  const InlineCache::Kind seen = proto_->caches[static_cast<size_t>(cache_index)].kind;
  const bool adds = seen == InlineCache::kAdd, calls = seen == InlineCache::kHandler;
  const Label done = a_.newLabel();
  const Label others = slow_path([this, cache_index, key, operand, miss, done] {
    emit_set_other(cache_index, key, operand, miss);
    a_.jmp(done);
  });
  emit_cache_guard(cache_index, adds || calls ? seen : InlineCache::kOwn, others);
  if (calls) {
    a_.jmp(miss);
  } else {
    adds ? emit_set_new(key, operand, miss) : emit_set_own(operand, miss);
  }
  a_.bind(done);
}

}  // namespace mangata::jit
