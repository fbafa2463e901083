// Pieces of accesses to tables that the code of a site (emit_cached_access.cpp, emit_elements.cpp) and the stubs
// (access_stubs.cpp, map_stubs.cpp, site_stubs.h) have in common. Throughout: a3 the table, a2 its shape, a4 the cache.
#pragma once

#include "jit/x64/masm.h"
#include "vm/interpreter/inline_cache.h"

namespace mangata::jit {

/// An element kind of numbers and the tag of its elements.
inline constexpr int kElementKindToTag = static_cast<int>(Tag::Integer) - static_cast<int>(ElementKind::Integer);
static_assert(static_cast<int>(Tag::Float) - static_cast<int>(ElementKind::Float) == kElementKindToTag);
inline constexpr int kAnyElements = static_cast<int>(ElementKind::Any);

inline void branch_unless_kind(Masm& masm, InlineCache::Kind kind, const Label& target) {
  using namespace registers;
  masm.compare(byte_at(a4, offsetof(InlineCache, kind)), static_cast<int>(kind));
  masm.branch(Condition::NotEqual, target);
}

/// What the cache knows of other tables is out of date. Clobbers `scratch`, which may be a2.
inline void branch_unless_epoch(Masm& masm, const Gp& scratch, const Label& target) {
  using namespace registers;
  masm.load(scratch, field(a2, offsetof(Shape, root)));
  masm.load(low(scratch), short_at(scratch, offsetof(Shape, epoch)));
  masm.compare(low(scratch), short_at(a4, offsetof(InlineCache, epoch)));
  masm.branch(Condition::NotEqual, target);
}

/// t0 := address of the cache's slot in `table`.
inline void load_slot_address(Masm& masm, const Gp& table) {
  using namespace registers;
  masm.load(low(t0), short_at(a4, offsetof(InlineCache, slot)));
  masm.shift_left(t0, kSlotShift);
  masm.add(t0, field(table, offsetof(Table, slots)));
}

/// a1, a0 := payload and tag of that slot; Condition::Zero says that it holds nil. Clobbers t0.
inline void load_slot(Masm& masm, const Gp& table) {
  using namespace registers;
  load_slot_address(masm, table);
  masm.load(a1, word_at(t0));
  masm.load(a0, word_at(t0, kTagOffset));
  masm.compare_with_zero(low(a0));
}

/// a1, a0 := the property of a table that __index leads to; the epoch is right. Clobbers t0, a2.
inline void load_from_known_holder(Masm& masm, const Label& miss) {
  using namespace registers;
  masm.load(a2, field(a4, offsetof(InlineCache, holder)));
  masm.load(a1, field(a2, offsetof(Table, shape)));
  masm.compare(a1, field(a4, offsetof(InlineCache, holder_shape)));
  masm.branch(Condition::NotEqual, miss);
  load_slot(masm, a2);
  masm.branch(Condition::Zero, miss);
}

/// The same, of any cache of the kind.
inline void load_from_holder(Masm& masm, const Label& miss) {
  branch_unless_epoch(masm, registers::t0, miss);
  load_from_known_holder(masm, miss);
}

/// The table in a3 has a metatable that is not known to lack the metamethod. Clobbers `scratch`.
inline void branch_unless_lacks(Masm& masm, AbsentMetamethod metamethod, const Gp& scratch, const Label& target) {
  using namespace registers;
  const Label lacks = masm.new_label();
  masm.load(scratch, field(a3, offsetof(Table, own_metatable)));
  masm.branch_if_zero(scratch, lacks);
  masm.branch_unless_bits(byte_at(scratch, offsetof(Table, type_flags)), metamethod, target);
  masm.bind(lacks);
}

}  // namespace mangata::jit
