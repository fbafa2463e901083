// Access by field name: the instructions. What an inline cache knows is in emit_cached_access.cpp; the rest in the stubs that all sites
// share (site_stubs.h).
#include "jit/abi/runtime_calls_tables.h"
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
  const Label slow = site_stub_slow_path(SiteAccess::GetGlobal);
  load_cache(in.d);
  load_environment(in.b, slow);
  emit_cached_get(in.d, in.ra(), InlineCache::kOwn, slow);
}

void BaselineCompiler::emit_SetGlobal(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_set_global);
  const Label slow = site_stub_slow_path(SiteAccess::SetGlobal);
  load_cache(in.d);
  load_environment(in.a, slow);
  emit_cached_set(in.d, proto_->constants[in.b], in.c, slow);
}

void BaselineCompiler::emit_GetField(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_get_field);
  const Label slow = site_stub_slow_path(SiteAccess::GetField);
  load_cache(in.d);
  branch_unless_tag(in.rb(), Tag::Table, slow);
  masm_.load(a3, payload_of(in.rb()));
  emit_cached_get(in.d, in.ra(), InlineCache::kOwn, slow);
}

void BaselineCompiler::emit_SetField(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_set_field);
  const Label slow = site_stub_slow_path(SiteAccess::SetField);
  load_cache(in.d);
  branch_unless_tag(in.ra(), Tag::Table, slow);
  masm_.load(a3, payload_of(in.ra()));
  emit_cached_set(in.d, proto_->constants[in.b], in.c, slow);
}

void BaselineCompiler::emit_Self(const Instruction& in) {
  if (in.d == kNoInlineCache) return emit_generic(runtime_self);
  const Label slow = site_stub_slow_path(SiteAccess::Self);
  load_cache(in.d);
  masm_.load(a3, payload_of(in.rb()));
  masm_.load(a0, tag_of(in.rb()));
  masm_.store(payload_of(in.ra() + kCallOverheadSlots), a3);
  masm_.store(tag_of(in.ra() + kCallOverheadSlots), a0);
  masm_.compare(low(a0), static_cast<int>(tag_bits(Tag::Table)));
  masm_.branch(Condition::NotEqual, slow);
  emit_cached_get(in.d, in.ra(), InlineCache::kMetatable, slow);
}

}  // namespace mangata::jit
