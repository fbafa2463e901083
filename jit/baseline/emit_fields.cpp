// Access by field name: the instructions. What an inline cache knows is in emit_cached_access.cpp.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// rcx := the table in upvalue `index`.
void BaselineCompiler::load_environment(int index, const Label& miss) {
  load_upvalue_location(rcx, index);
  a_.cmp(dword_ptr(rcx, kTagOffset), static_cast<int>(tag_bits(Tag::Table)));
  a_.jne(miss);
  a_.mov(rcx, qword_ptr(rcx));
}

void BaselineCompiler::emit_GetGlobal(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_get_global);
  const Label miss = field_slow_path(get_global_or_metamethod, HandlerAccess::GetGlobal, in.d, proto_->constants[in.c]);
  load_environment(in.b, generic_slow_path(runtime_get_global));
  emit_cached_get(in.d, proto_->constants[in.c], in.a, InlineCache::kOwn, miss);
}

void BaselineCompiler::emit_SetGlobal(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_set_global);
  const Label miss = field_slow_path(set_global_or_metamethod, HandlerAccess::SetGlobal, in.d, proto_->constants[in.b], in.c);
  load_environment(in.a, generic_slow_path(runtime_set_global));
  emit_cached_set(in.d, proto_->constants[in.b], in.c, miss);
}

void BaselineCompiler::emit_GetField(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_get_field);
  const Label miss = field_slow_path(get_field_or_metamethod, HandlerAccess::GetField, in.d, proto_->constants[in.c]);
  branch_unless_tag(in.b, Tag::Table, miss);
  a_.mov(rcx, payload_of(in.b));
  emit_cached_get(in.d, proto_->constants[in.c], in.a, InlineCache::kOwn, miss);
}

void BaselineCompiler::emit_SetField(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_set_field);
  const Label miss = field_slow_path(set_field_or_metamethod, HandlerAccess::SetField, in.d, proto_->constants[in.b], in.c);
  branch_unless_tag(in.a, Tag::Table, miss);
  a_.mov(rcx, payload_of(in.a));
  emit_cached_set(in.d, proto_->constants[in.b], in.c, miss);
}

/// Strings have the methods of their common metatable, whose instances' shape stands in the cache for theirs.
void BaselineCompiler::emit_Self(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_self);
  const Label miss = field_slow_path(self_or_metamethod, HandlerAccess::GetField, in.d, proto_->constants[in.c]);
  const Label done = a_.newLabel();
  const Label not_table = slow_path([this, in, miss, done] {
    a_.cmp(edi, static_cast<int>(tag_bits(Tag::String)));
    a_.jne(miss);
    constexpr size_t kStringMetatable =
        offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    load_immediate(r8, address_of(&proto_->caches[in.d]));
    a_.mov(rdx, vm_field(kStringMetatable));
    a_.test(rdx, rdx);
    a_.jz(miss);
    a_.mov(rdx, field(rdx, offsetof(Table, instance_shape)));
    a_.test(rdx, rdx);
    a_.jz(miss);
    a_.cmp(rdx, field(r8, offsetof(InlineCache, shape)));
    a_.jne(miss);
    branch_unless_kind(a_, InlineCache::kMetatable, miss);
    emit_get_from_holder(in.a, miss);
    a_.jmp(done);
  });
  a_.mov(rcx, payload_of(in.b));
  a_.mov(rdi, tag_of(in.b));
  a_.mov(payload_of(in.a + kCallOverheadSlots), rcx);
  a_.mov(tag_of(in.a + kCallOverheadSlots), rdi);
  a_.cmp(edi, static_cast<int>(tag_bits(Tag::Table)));
  a_.jne(not_table);
  emit_cached_get(in.d, proto_->constants[in.c], in.a, InlineCache::kMetatable, miss);
  a_.bind(done);
}

}  // namespace mangata::jit
