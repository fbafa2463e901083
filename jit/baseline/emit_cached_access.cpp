// Access by field name: what vm/interpreter/inline_cache.h does on a hit, by machine code. One case is
// inline, the one that the site has met; all others are in a stub (site_stubs.h).
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
    masm_.load(payload, payload_of(Register{operand}));
    masm_.load(tag, tag_of(Register{operand}));
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

/// a4 := the site's first cache, where the stubs expect it.
void BaselineCompiler::load_cache(int index) { load_immediate(a4, address_of(&proto_->caches[static_cast<size_t>(index)])); }

/// Loads the shape; jumps to `other` unless the cache in a4 is about that shape and has that kind. Otherwise the site's second cache may,
/// which is in a4 then; only globals are all in tables of one shape.
void BaselineCompiler::emit_cache_guard(int cache_index, InlineCache::Kind kind, const Label& other) {
  const Label guarded = masm_.new_label();
  const Opcode op = proto_->code[pc_].op;
  const bool has_second = op != Opcode::GetGlobal && op != Opcode::SetGlobal;
  const Label other_shape = !has_second ? other : slow_path([this, cache_index, kind, guarded, other] {
    load_immediate(t1, address_of(&proto_->second_caches[static_cast<size_t>(cache_index)]));
    masm_.compare(a2, field(t1, offsetof(InlineCache, shape)));
    masm_.branch(Condition::NotEqual, other);
    masm_.compare(byte_field(t1, offsetof(InlineCache, kind)), static_cast<int>(kind));
    masm_.branch(Condition::NotEqual, other);
    masm_.move(a4, t1);
    masm_.jump(guarded);
  });
  masm_.load(a2, field(a3, offsetof(Table, shape)));
  masm_.compare(a2, field(a4, offsetof(InlineCache, shape)));
  masm_.branch(Condition::NotEqual, other_shape);
  branch_unless_kind(masm_, kind, other);
  masm_.bind(guarded);
}

/// The property at t0 := operand.
void BaselineCompiler::emit_store_at(int operand) {
  load_operand(a1, a0, operand);
  masm_.store(word_at(t0), a1);
  masm_.store(word_at(t0, kTagOffset), a0);
  if (may_be_collectable(operand)) emit_barrier(a3, t0, barrier_of_value);
}

/// R[to] := the table's own property. Nil counts without a metatable, and where the cache knows that there is no other.
void BaselineCompiler::emit_get_own(Register to, const Label& slow) {
  const Label found = masm_.new_label();
  const Label is_nil = slow_path([this, slow, found] {
    masm_.compare(field(a3, offsetof(Table, own_metatable)), 0);
    masm_.branch(Condition::Equal, found);
    branch_unless_epoch(masm_, a2, slow);
    masm_.jump(found);
  });
  load_slot(masm_, a3);
  masm_.branch(Condition::Zero, is_nil);
  masm_.bind(found);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
}

/// R[to] := the property of a table that __index leads to.
void BaselineCompiler::emit_get_from_holder(Register to, const Label& slow) {
  load_from_holder(masm_, slow);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
}

/// R[to] := nil, which the cache knows to be the result.
void BaselineCompiler::emit_get_absent(Register to, const Label& miss) {
  branch_unless_epoch(masm_, t0, miss);
  store_constant(to, Value::nil());
}

void BaselineCompiler::emit_cached_get(int cache_index, Register to, InlineCache::Kind expected, const Label& slow) {
  using Kind = InlineCache::Kind;
  const Kind seen = proto_->caches[static_cast<size_t>(cache_index)].kind;
  if (seen == Kind::kHandler) return masm_.jump(slow);
  const Kind first = seen == Kind::kOwn || seen == Kind::kMetatable || seen == Kind::kAbsent ? seen : expected;
  emit_cache_guard(cache_index, first, slow);
  if (first == Kind::kMetatable) return emit_get_from_holder(to, slow);
  if (first == Kind::kAbsent) return emit_get_absent(to, slow);
  emit_get_own(to, slow);
}

/// The property := operand. A nil may count as absent.
void BaselineCompiler::emit_set_own(int operand, const Label& slow) {
  load_slot_address(masm_, a3);
  masm_.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  masm_.branch(Condition::Equal, slow);
  emit_store_at(operand);
}

/// A new property: the table gets the shape that the cache knows.
void BaselineCompiler::emit_set_new(const Value& key, int operand, const Label& slow) {
  masm_.load(low(t0), short_at(a4, offsetof(InlineCache, slot)));
  masm_.compare(low(t0), short_at(a3, offsetof(Table, slot_capacity)));
  masm_.branch(Condition::AboveEqual, slow);
  branch_unless_epoch(masm_, a2, slow);
  masm_.branch_if_bits(byte_at(a3, offsetof(Table, type_flags)), key.as_string()->is_metamethod_name() ? 0xff : kIndexIntermediate, slow);
  load_operand(a1, a0, operand);
  masm_.branch_if_zero(low(a0), slow);
  masm_.load(a2, field(a4, offsetof(InlineCache, new_shape)));
  masm_.shift_left(t0, kSlotShift);
  masm_.add(t0, field(a3, offsetof(Table, slots)));
  masm_.store(field(a3, offsetof(Table, shape)), a2);
  masm_.store(word_at(t0), a1);
  masm_.store(word_at(t0, kTagOffset), a0);
  emit_barrier(a3, t0, barrier_of_new_property);
}

void BaselineCompiler::emit_cached_set(int cache_index, const Value& key, int operand, const Label& slow) {
  const InlineCache::Kind seen = proto_->caches[static_cast<size_t>(cache_index)].kind;
  if (seen == InlineCache::kHandler) return masm_.jump(slow);
  const bool adds = seen == InlineCache::kAdd;
  emit_cache_guard(cache_index, adds ? seen : InlineCache::kOwn, slow);
  adds ? emit_set_new(key, operand, slow) : emit_set_own(operand, slow);
}

}  // namespace mangata::jit
