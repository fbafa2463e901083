// Access by field name: what vm/interpreter/inline_cache.h does on a hit, by machine code. One case is
// inline, the one that the site has met; the others are stubs (access_stubs.h). Dictionaries and misses are
// runtime calls.
//
// Throughout: a3 the table, a2 its shape, a4 the cache.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

void BaselineCompiler::load_operand(Gp payload, Gp tag, int operand) {
  if ((operand & kConstantOperand) != 0) {
    const Value& k = proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)];
    load_immediate(payload, k.payload);
    load_immediate(tag, tag_bits(k.tag));
  } else {
    masm_.load(payload, payload_of(operand));
    masm_.load(tag, tag_of(operand));
  }
}

bool BaselineCompiler::may_be_collectable(int operand) const {
  return (operand & kConstantOperand) == 0 ||
         proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)].is_collectable();
}

void BaselineCompiler::emit_barrier(Gp owner, Gp location, StoreBarrier barrier) {
  const Label resume = masm_.new_label();
  const Label marking = slow_path([this, owner, location, barrier, resume] {
    masm_.move(a2, location);
    masm_.move(a1, owner);
    masm_.move(a0, kVm);
    masm_.call(barrier);
    masm_.jump(resume);
  });
  masm_.compare(byte_at(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  masm_.branch(Condition::NotEqual, marking);
  masm_.bind(resume);
}

/// Loads the shape and the cache; jumps to `other` unless the cache is about that shape and has that kind.
void BaselineCompiler::emit_cache_guard(int cache_index, InlineCache::Kind kind, const Label& other) {
  load_immediate(a4, address_of(&proto_->caches[static_cast<size_t>(cache_index)]));
  masm_.load(a2, field(a3, offsetof(Table, shape)));
  masm_.compare(a2, field(a4, offsetof(InlineCache, shape)));
  masm_.branch(Condition::NotEqual, other);
  branch_unless_kind(masm_, kind, other);
}

/// a4 := the site's cache that is about the shape in a2, if it says that it is an own property; otherwise jumps to `other`. The first cache
/// is in a4. Clobbers t1.
void BaselineCompiler::emit_other_own_cache(int cache_index, const Label& other) {
  const Label known = masm_.new_label();
  masm_.compare(a2, field(a4, offsetof(InlineCache, shape)));
  masm_.branch(Condition::Equal, known);
  load_immediate(t1, address_of(&proto_->second_caches[static_cast<size_t>(cache_index)]));
  masm_.compare(a2, field(t1, offsetof(InlineCache, shape)));
  masm_.branch(Condition::NotEqual, other);
  masm_.move(a4, t1);
  masm_.bind(known);
  branch_unless_kind(masm_, InlineCache::kOwn, other);
}

/// Every case of a get that is not inline, with what emit_cache_guard has loaded. An own property of tables with one of the site's shapes
/// needs no call.
void BaselineCompiler::emit_get_other(int cache_index, const Value& key, int to, const Label& miss) {
  const Label by_stub = masm_.new_label(), done = masm_.new_label();
  emit_other_own_cache(cache_index, by_stub);
  load_slot(masm_, a3);
  masm_.branch(Condition::Zero, by_stub);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
  masm_.jump(done);
  masm_.bind(by_stub);
  emit_get_by_stub(key, to, miss);
  masm_.bind(done);
}

void BaselineCompiler::emit_get_by_stub(const Value& key, int to, const Label& miss) {
  load_immediate(a5, key.payload);
  masm_.call(thunks_.get_by_cache);
  masm_.branch_on_miss(miss);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
}

void BaselineCompiler::emit_set_other(int cache_index, const Value& key, int operand, const Label& miss) {
  const Label by_stub = masm_.new_label(), done = masm_.new_label();
  emit_other_own_cache(cache_index, by_stub);
  load_slot_address(masm_, a3);
  masm_.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  masm_.branch(Condition::Equal, by_stub);
  emit_store_at(operand);
  masm_.jump(done);
  masm_.bind(by_stub);
  load_immediate(a5, key.payload);
  load_operand(a1, a0, operand);
  masm_.call(thunks_.set_by_cache);
  masm_.branch_on_miss(miss);
  emit_barrier(a3, t0, barrier_of_new_property);
  masm_.bind(done);
}

/// The property at t0 := operand.
void BaselineCompiler::emit_store_at(int operand) {
  load_operand(a1, a0, operand);
  masm_.store(word_at(t0), a1);
  masm_.store(word_at(t0, kTagOffset), a0);
  if (may_be_collectable(operand)) emit_barrier(a3, t0, barrier_of_value);
}

/// R[to] := the table's own property. Nil counts without a metatable, and where the cache knows that there is no other.
void BaselineCompiler::emit_get_own(int to, const Label& miss) {
  const Label found = masm_.new_label();
  const Label is_nil = slow_path([this, miss, found] {
    masm_.compare(field(a3, offsetof(Table, own_metatable)), 0);
    masm_.branch(Condition::Equal, found);
    branch_unless_epoch(masm_, a2, miss);
    masm_.jump(found);
  });
  load_slot(masm_, a3);
  masm_.branch(Condition::Zero, is_nil);
  masm_.bind(found);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
}

/// R[to] := the property of a table that __index leads to.
void BaselineCompiler::emit_get_from_holder(int to, const Label& miss) {
  branch_unless_epoch(masm_, t0, miss);
  masm_.load(a2, field(a4, offsetof(InlineCache, holder)));
  masm_.load(a1, field(a2, offsetof(Table, shape)));
  masm_.compare(a1, field(a4, offsetof(InlineCache, holder_shape)));
  masm_.branch(Condition::NotEqual, miss);
  load_slot(masm_, a2);
  masm_.branch(Condition::Zero, miss);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
}

/// R[to] := nil, which the cache knows to be the result.
void BaselineCompiler::emit_get_absent(int to, const Label& miss) {
  branch_unless_epoch(masm_, t0, miss);
  store_constant(to, Value::nil());
}

void BaselineCompiler::emit_get_of_kind(InlineCache::Kind kind, int to, const Label& miss) {
  switch (kind) {
    case InlineCache::kMetatable:
      return emit_get_from_holder(to, miss);
    case InlineCache::kAbsent:
      return emit_get_absent(to, miss);
    case InlineCache::kHandler:
      masm_.jump(miss);
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
  const Label done = masm_.new_label();
  const Label others = slow_path([this, cache_index, key, to, miss, done] {
    emit_get_other(cache_index, key, to, miss);
    masm_.jump(done);
  });
  emit_cache_guard(cache_index, first, others);
  emit_get_of_kind(first, to, miss);
  masm_.bind(done);
}

/// The property := operand. A nil counts as absent when the metatable may have __newindex.
void BaselineCompiler::emit_set_own(int operand, const Label& miss) {
  const Label found = masm_.new_label();
  const Label is_nil = slow_path([this, miss, found] {
    masm_.load(a1, field(a3, offsetof(Table, own_metatable)));
    masm_.branch_if_zero(a1, found);
    masm_.branch_unless_bits(byte_at(a1, offsetof(Table, type_flags)), kNoNewIndex, miss);
    masm_.jump(found);
  });
  load_slot_address(masm_, a3);
  masm_.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  masm_.branch(Condition::Equal, is_nil);
  masm_.bind(found);
  emit_store_at(operand);
}

/// A new property: the table gets the shape that the cache knows. A nil is one where there is no metatable (vm/object/table_store.cpp).
void BaselineCompiler::emit_set_new(const Value& key, int operand, const Label& miss) {
  masm_.load(low(t0), short_at(a4, offsetof(InlineCache, slot)));
  masm_.compare(low(t0), short_at(a3, offsetof(Table, slot_capacity)));
  masm_.branch(Condition::AboveEqual, miss);
  branch_unless_epoch(masm_, a2, miss);
  masm_.branch_if_bits(byte_at(a3, offsetof(Table, type_flags)), key.as_string()->is_metamethod_name() ? 0xff : kIndexIntermediate, miss);
  load_operand(a1, a0, operand);
  const Label may_add = masm_.new_label();
  const Label is_nil = slow_path([this, miss, may_add] {
    masm_.compare(field(a3, offsetof(Table, own_metatable)), 0);
    masm_.branch(Condition::NotEqual, miss);
    masm_.jump(may_add);
  });
  masm_.branch_if_zero(low(a0), is_nil);
  masm_.bind(may_add);
  masm_.load(a2, field(a4, offsetof(InlineCache, new_shape)));
  masm_.shift_left(t0, kSlotShift);
  masm_.add(t0, field(a3, offsetof(Table, slots)));
  masm_.store(field(a3, offsetof(Table, shape)), a2);
  masm_.store(word_at(t0), a1);
  masm_.store(word_at(t0, kTagOffset), a0);
  emit_barrier(a3, t0, barrier_of_new_property);
}

void BaselineCompiler::emit_cached_set(int cache_index, const Value& key, int operand, const Label& miss) {
  const InlineCache::Kind seen = proto_->caches[static_cast<size_t>(cache_index)].kind;
  const bool adds = seen == InlineCache::kAdd, calls = seen == InlineCache::kHandler;
  const Label done = masm_.new_label();
  const Label others = slow_path([this, cache_index, key, operand, miss, done] {
    emit_set_other(cache_index, key, operand, miss);
    masm_.jump(done);
  });
  emit_cache_guard(cache_index, adds || calls ? seen : InlineCache::kOwn, others);
  if (calls) {
    masm_.jump(miss);
  } else {
    adds ? emit_set_new(key, operand, miss) : emit_set_own(operand, miss);
  }
  masm_.bind(done);
}

}  // namespace mangata::jit
