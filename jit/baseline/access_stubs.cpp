#include "jit/baseline/access_stubs.h"

#include <bit>

#include "jit/baseline/cached_access.h"

namespace mangata::jit {

using namespace registers;

void find_shared_cache(Masm& masm, bool for_set, const Label& miss) {
  using Shared = SharedPropertyCache;
  static_assert(sizeof(Shared::Set) == 3 * 64 && std::has_single_bit(Shared::kSetCount));
  const int sets = for_set ? offsetof(Shared, sets) : offsetof(Shared, gets);
  const Label found = masm.new_label();
  constexpr int kKey = offsetof(Shared::Entry, key);
  constexpr int kShape = offsetof(Shared::Entry, cache) + offsetof(InlineCache, shape);
  masm.load(a4, vm_field(offsetof(Vm, property_cache)));
  masm.branch_if_zero(a4, miss);
  masm.load_address(t0, word_at(a5, a2, 3));
  masm.load_word(t1, Shared::kHashFactor);
  masm.multiply(t0, t1);
  masm.shift_right(t0, Shared::kHashShift);
  masm.and_(low(t0), static_cast<int>(Shared::kSetCount - 1));
  masm.load_address(low(t0), word_at(t0, t0, 1));
  masm.shift_left(low(t0), 6);
  masm.add(a4, t0);
  for (size_t i = 0; i < Shared::kSetSize; ++i) {
    const bool is_last = i + 1 == Shared::kSetSize;
    const Label next = is_last ? miss : masm.new_label();
    masm.compare(a5, word_at(a4, sets + kKey));
    masm.branch(Condition::NotEqual, next);
    masm.compare(a2, word_at(a4, sets + kShape));
    if (is_last) {
      masm.branch(Condition::NotEqual, miss);
      break;
    }
    masm.branch(Condition::Equal, found);
    masm.bind(next);
    masm.add(a4, static_cast<int>(sizeof(Shared::Entry)));
  }
  masm.bind(found);
  masm.add(a4, sets + static_cast<int>(offsetof(Shared::Entry, cache)));
}

namespace {

/// a4 := the cache that is about the shape in a2: the site's own, which is there, or a shared one.
void find_cache(Masm& masm, bool for_set, const Label& miss) {
  const Label found = masm.new_label();
  masm.compare(a2, field(a4, offsetof(InlineCache, shape)));
  masm.branch(Condition::Equal, found);
  find_shared_cache(masm, for_set, miss);
  masm.bind(found);
}

void end_with_miss(Masm& masm, const Label& miss) {
  masm.bind(miss);
  masm.return_miss();
}
}  // namespace

void emit_get_by_cache(Masm& masm) {
  const Label hit = masm.new_label(), not_own = masm.new_label(), not_in_holder = masm.new_label(), miss = masm.new_label();
  find_cache(masm, /*for_set=*/false, miss);
  branch_unless_kind(masm, InlineCache::kOwn, not_own);
  load_slot(masm, a3);
  masm.branch(Condition::NotZero, hit);
  masm.compare(field(a3, offsetof(Table, own_metatable)), 0);  // a nil may be absent when there is one
  masm.branch(Condition::Equal, hit);
  branch_unless_epoch(masm, a2, miss);
  masm.bind(hit);
  masm.return_hit();
  masm.bind(not_own);
  branch_unless_epoch(masm, t0, miss);
  branch_unless_kind(masm, InlineCache::kMetatable, not_in_holder);
  load_from_known_holder(masm, miss);
  masm.jump(hit);
  masm.bind(not_in_holder);
  branch_unless_kind(masm, InlineCache::kAbsent, miss);
  masm.clear(a1);
  masm.clear(a0);
  masm.jump(hit);
  end_with_miss(masm, miss);
}

void emit_set_by_cache(Masm& masm) {
  const Label store = masm.new_label(), not_own = masm.new_label(), miss = masm.new_label();
  find_cache(masm, /*for_set=*/true, miss);
  branch_unless_kind(masm, InlineCache::kOwn, not_own);
  load_slot_address(masm, a3);
  masm.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  masm.branch(Condition::NotEqual, store);
  masm.load(t1, field(a3, offsetof(Table, own_metatable)));
  masm.branch_if_zero(t1, store);
  masm.branch_unless_bits(byte_at(t1, offsetof(Table, type_flags)), kNoNewIndex, miss);
  masm.bind(store);
  masm.store(word_at(t0), a1);
  masm.store(word_at(t0, kTagOffset), a0);
  masm.return_hit();
  masm.bind(not_own);
  branch_unless_kind(masm, InlineCache::kAdd, miss);
  branch_unless_epoch(masm, t0, miss);
  masm.load(low(t0), short_at(a4, offsetof(InlineCache, slot)));
  masm.compare(low(t0), short_at(a3, offsetof(Table, slot_capacity)));
  masm.branch(Condition::AboveEqual, miss);
  masm.compare(byte_at(a3, offsetof(Table, type_flags)), 0);  // the key may be a "__" key
  masm.branch(Condition::NotZero, miss);
  const Label may_add = masm.new_label();
  masm.branch_if_not_zero(low(a0), may_add);
  masm.compare(field(a3, offsetof(Table, own_metatable)), 0);
  masm.branch(Condition::NotEqual, miss);
  masm.bind(may_add);
  masm.load(a2, field(a4, offsetof(InlineCache, new_shape)));
  masm.store(field(a3, offsetof(Table, shape)), a2);
  masm.shift_left(t0, 4);
  masm.add(t0, field(a3, offsetof(Table, slots)));
  masm.jump(store);
  end_with_miss(masm, miss);
}

}  // namespace mangata::jit
