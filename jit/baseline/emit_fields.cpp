// Access by field name: the instructions. What an inline cache knows is in emit_cached_access.cpp.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// a3 := the table in upvalue `index`.
void BaselineCompiler::load_environment(int index, const Label& miss) {
  load_upvalue_location(a3, index);
  masm_.compare(short_at(a3, kTagOffset), static_cast<int>(tag_bits(Tag::Table)));
  masm_.branch(Condition::NotEqual, miss);
  masm_.load(a3, word_at(a3));
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
  masm_.load(a3, payload_of(in.b));
  emit_cached_get(in.d, proto_->constants[in.c], in.a, InlineCache::kOwn, miss);
}

void BaselineCompiler::emit_SetField(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_set_field);
  const Label miss = field_slow_path(set_field_or_metamethod, HandlerAccess::SetField, in.d, proto_->constants[in.b], in.c);
  branch_unless_tag(in.a, Tag::Table, miss);
  masm_.load(a3, payload_of(in.a));
  emit_cached_set(in.d, proto_->constants[in.b], in.c, miss);
}

/// Strings have the methods of their common metatable, whose instances' shape stands in the cache for theirs.
void BaselineCompiler::emit_Self(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_self);
  const Label miss = field_slow_path(self_or_metamethod, HandlerAccess::GetField, in.d, proto_->constants[in.c]);
  const Label done = masm_.new_label();
  const Label not_table = slow_path([this, in, miss, done] {
    masm_.compare(low(a0), static_cast<int>(tag_bits(Tag::String)));
    masm_.branch(Condition::NotEqual, miss);
    constexpr size_t kStringMetatable =
        offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    load_immediate(a4, address_of(&proto_->caches[in.d]));
    masm_.load(a2, vm_field(kStringMetatable));
    masm_.branch_if_zero(a2, miss);
    masm_.load(a2, field(a2, offsetof(Table, instance_shape)));
    masm_.branch_if_zero(a2, miss);
    masm_.compare(a2, field(a4, offsetof(InlineCache, shape)));
    masm_.branch(Condition::NotEqual, miss);
    branch_unless_kind(masm_, InlineCache::kMetatable, miss);
    emit_get_from_holder(in.a, miss);
    masm_.jump(done);
  });
  masm_.load(a3, payload_of(in.b));
  masm_.load(a0, tag_of(in.b));
  masm_.store(payload_of(in.a + kCallOverheadSlots), a3);
  masm_.store(tag_of(in.a + kCallOverheadSlots), a0);
  masm_.compare(low(a0), static_cast<int>(tag_bits(Tag::Table)));
  masm_.branch(Condition::NotEqual, not_table);
  emit_cached_get(in.d, proto_->constants[in.c], in.a, InlineCache::kMetatable, miss);
  masm_.bind(done);
}

}  // namespace mangata::jit
