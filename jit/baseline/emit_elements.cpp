// Access by integer key: elements of all three kinds, and appending where there is room; table_inline.h by
// machine code. Other keys: emit_keys.cpp. Holes under a metatable and growth are runtime calls.
//
// Throughout: a3 the table, t0 the index (key - 1).
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/compiler.h"
#include "vm/object/hash_part.h"

namespace mangata::jit {

using namespace registers;

/// a1 := the elements, a2 := their kind.
void BaselineCompiler::load_elements() {
  masm_.load_unsigned(low(a2), byte_at(a3, offsetof(Table, type_byte)));
  masm_.load(a1, field(a3, offsetof(Table, elements)));
}

/// R[to] := the element at the index.
void BaselineCompiler::emit_get_element(Register to, const Label& slow) {
  const Label any = masm_.new_label(), done = masm_.new_label(), found = masm_.new_label();
  const Label is_nil = slow_path([this, slow, found] {
    branch_unless_lacks(masm_, kNoIndex, t0, slow);
    masm_.jump(found);
  });
  masm_.load(low(a2), short_field(a3, offsetof(Table, type_word)));
  masm_.compare(t0, a2);
  masm_.branch(Condition::AboveEqual, slow);
  load_elements();
  masm_.compare(low(a2), kAnyElements);
  masm_.branch(Condition::Equal, any);
  masm_.load(t0, word_at(a1, t0, 3));
  masm_.add(low(a2), kElementKindToTag);
  masm_.store(payload_of(to), t0);
  masm_.store(tag_of(to), a2);
  masm_.jump(done);
  masm_.bind(any);
  masm_.add(t0, t0);
  masm_.load(a0, word_at(a1, t0, 3, kTagOffset));
  masm_.load(a1, word_at(a1, t0, 3));
  masm_.branch_if_zero(low(a0), is_nil);
  masm_.bind(found);
  masm_.store(payload_of(to), a1);
  masm_.store(tag_of(to), a0);
  masm_.bind(done);
}

/// Elements of a kind of numbers at a1: the one at the index := operand, if that has the kind in a2.
void BaselineCompiler::emit_store_number(int operand, const Label& slow) {
  if ((operand & kConstantOperand) != 0) {
    const Value& k = proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)];
    if (!k.is_number()) return static_cast<void>(masm_.jump(slow));
    masm_.compare(low(a2), static_cast<int>(tag_bits(k.tag)) - kElementKindToTag);
    masm_.branch(Condition::NotEqual, slow);
    load_immediate(a0, k.payload);
  } else {
    masm_.add(low(a2), kElementKindToTag);
    masm_.compare(low(a2), short_tag_of(Register{operand}));
    masm_.branch(Condition::NotEqual, slow);
    masm_.load(a0, payload_of(Register{operand}));
  }
  masm_.store(word_at(a1, t0, 3), a0);
}

/// Elements of any kind at a1: the one at the index := a0, a2, which come from operand.
void BaselineCompiler::emit_store_any(int operand) {
  masm_.store(word_at(a1), a0);
  masm_.store(word_at(a1, kTagOffset), a2);
  if (may_be_collectable(operand)) emit_barrier(a3, a1, barrier_of_value);
}

/// Loads the operand for emit_store_any; nil is not for here.
void BaselineCompiler::emit_prepare_store_any(int operand, const Label& slow) {
  masm_.shift_left(t0, 4);
  masm_.add(a1, t0);
  load_operand(a0, a2, operand);
  masm_.branch_if_zero(low(a2), slow);
}

/// The new last element := operand, in a plain table that has room; other indices go to `by_key`.
void BaselineCompiler::emit_append(int operand, const Label& by_key, const Label& slow) {
  const Label any = masm_.new_label(), done = masm_.new_label();
  masm_.branch(Condition::NotEqual, by_key);  // the index is not the size
  masm_.compare(low(t0), short_field(a3, offsetof(Table, element_capacity)));
  masm_.branch(Condition::AboveEqual, slow);
  masm_.compare(field(a3, offsetof(Table, hash)), 0);
  masm_.branch(Condition::NotEqual, slow);
  branch_unless_lacks(masm_, kNoNewIndex, t1, slow);
  load_elements();
  masm_.compare_with_zero(a1);  // the capacity of a table without storage is a wish
  masm_.branch(Condition::Zero, slow);
  masm_.load_address(low(t1), short_at(t0, 1));
  masm_.compare(low(a2), kAnyElements);
  masm_.branch(Condition::Equal, any);
  emit_store_number(operand, slow);
  masm_.store(short_field(a3, offsetof(Table, type_word)), low(t1));
  masm_.jump(done);
  masm_.bind(any);
  emit_prepare_store_any(operand, slow);
  masm_.store(short_field(a3, offsetof(Table, type_word)), low(t1));
  emit_store_any(operand);
  masm_.bind(done);
}

/// The element at the index := operand; what is neither there nor next to the last one goes to `by_key`.
void BaselineCompiler::emit_set_element(int operand, const Label& by_key, const Label& slow) {
  const Label any = masm_.new_label(), store = masm_.new_label(), done = masm_.new_label();
  const Label append = slow_path([this, operand, by_key, slow, done] {
    emit_append(operand, by_key, slow);
    masm_.jump(done);
  });
  const Label has_metatable = slow_path([this, slow, store] {  // a hole may call __newindex
    masm_.compare(short_at(a1, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
    masm_.branch(Condition::NotEqual, store);
    branch_unless_lacks(masm_, kNoNewIndex, t0, slow);
    masm_.jump(store);
  });
  masm_.load(low(a2), short_field(a3, offsetof(Table, type_word)));
  masm_.compare(t0, a2);
  masm_.branch(Condition::AboveEqual, append);
  load_elements();
  masm_.compare(low(a2), kAnyElements);
  masm_.branch(Condition::Equal, any);
  emit_store_number(operand, slow);
  masm_.jump(done);
  masm_.bind(any);
  emit_prepare_store_any(operand, slow);
  masm_.compare(field(a3, offsetof(Table, own_metatable)), 0);
  masm_.branch(Condition::NotEqual, has_metatable);
  masm_.bind(store);
  emit_store_any(operand);
  masm_.bind(done);
}

void BaselineCompiler::emit_GetIndex(const Instruction& in) {
  const Label slow = site_stub_slow_path(SiteAccess::GetIndex);
  const Label by_key = get_by_key_slow_path(in, slow);
  branch_unless_tag(in.rb(), Tag::Table, slow);
  emit_element_index(in.rc(), by_key);
  masm_.load(a3, payload_of(in.rb()));
  emit_get_element(in.ra(), by_key);
}

void BaselineCompiler::emit_GetInteger(const Instruction& in) {
  const Label slow = site_stub_slow_path(SiteAccess::GetInteger);
  branch_unless_tag(in.rb(), Tag::Table, slow);
  masm_.load(a3, payload_of(in.rb()));
  masm_.load_word(t0, static_cast<int64_t>(in.c) - 1);
  emit_get_element(in.ra(), get_by_key_slow_path(in, slow));
}

void BaselineCompiler::emit_SetIndex(const Instruction& in) {
  const Label slow = site_stub_slow_path(SiteAccess::SetIndex);
  const Label by_key = set_by_key_slow_path(in, slow);
  branch_unless_tag(in.ra(), Tag::Table, slow);
  emit_element_index(in.rb(), by_key);
  masm_.load(a3, payload_of(in.ra()));
  emit_set_element(in.c, by_key, slow);
}

void BaselineCompiler::emit_SetInteger(const Instruction& in) {
  const Label slow = site_stub_slow_path(SiteAccess::SetInteger);
  branch_unless_tag(in.ra(), Tag::Table, slow);
  masm_.load(a3, payload_of(in.ra()));
  masm_.load_word(t0, static_cast<int64_t>(in.b) - 1);
  emit_set_element(in.c, set_by_key_slow_path(in, slow), slow);
}

void BaselineCompiler::emit_Length(const Instruction& in) {
  const Label slow = metamethod_slow_path(length_or_metamethod);
  const Label store = masm_.new_label();
  const Label not_table = slow_path([this, in, slow, store] {
    branch_unless_tag(in.rb(), Tag::String, slow);
    masm_.load(t0, field(a3, offsetof(String, length)));
    masm_.jump(store);
  });
  masm_.load(a3, payload_of(in.rb()));
  branch_unless_tag(in.rb(), Tag::Table, not_table);
  branch_unless_lacks(masm_, kNoLength, t0, slow);
  masm_.load(low(t0), short_field(a3, offsetof(Table, type_word)));
  masm_.bind(store);
  masm_.store(payload_of(in.ra()), t0);
  store_tag(in.ra(), Tag::Integer);
}

}  // namespace mangata::jit
