#include "jit/baseline/metamethod_stubs.h"

#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/access_stubs.h"
#include "jit/baseline/cached_access.h"
#include "jit/x64/masm.h"

namespace mangata::jit {

using namespace registers;

namespace {

// The words of the stubs' native frame.
constexpr int kCalleeBase = 0, kSavedPc = 8, kCallerBase = 16, kBytes = 24;

/// Where the metamethod has returned, with its outcome in t0: the rest of the instruction.
void end_metamethod(Masm& masm, MetamethodResult result, const Label& done) {
  masm.load(kBase, word_at(kStack, kCallerBase));
  masm.decrement(short_at(kThread, static_cast<int>(offsetof(Thread, native_depth))));
  masm.branch_if_negative(low(t0), done);
  masm.load(a3, word_at(kStack, kCalleeBase));
  masm.load(a2, word_at(kStack, kSavedPc));
  if (result == MetamethodResult::Value) {
    load_register_offset(masm, a2, a2, offsetof(Instruction, a));
    masm.load(a1, word_at(a3, kFunctionOffset));
    masm.load(a0, word_at(a3, kFunctionOffset + kTagOffset));
    masm.store(word_at(kBase, a2), a1);
    masm.store(word_at(kBase, a2, 0, kTagOffset), a0);
  } else if (result == MetamethodResult::Branch) {
    masm.move(a0, kThread);
    masm.move(a1, kBase);
    masm.add(a3, kFunctionOffset);
    masm.call(finish_comparison);
  }
  masm.bind(done);
  masm.drop_stack(kBytes);
}

/// Back to the site, if the outcome in t0 is one for it.
void return_to_site(Masm& masm, MetamethodResult result, const Label& leave) {
  const Label leaves = masm.new_label();
  if (result == MetamethodResult::Branch) {
    masm.compare(low(t0), static_cast<int>(kTaken));
    masm.branch(Condition::Above, leaves);
  } else {
    masm.branch_if_not_zero(low(t0), leaves);
  }
  masm.return_to_caller();
  masm.bind(leaves);
  masm.jump(leave);
}

/// Begins the native frame: t0 := the base of a frame above the registers of the running one. Jumps where there is no room for a leaf.
void begin_call_above(Masm& masm, const Label& no_room) {
  masm.load(t0, word_at(kBase, kFunctionOffset));
  masm.load(t0, field(t0, offsetof(LuaFunction, proto)));
  static_assert(sizeof(Proto::max_stack_slots) == 1);
  masm.load_unsigned(low(t0), byte_at(t0, static_cast<int>(offsetof(Proto, max_stack_slots))));
  masm.add(low(t0), kCallOverheadSlots);
  masm.shift_left(t0, kSlotShift);
  masm.add(t0, kBase);
  masm.store(word_at(kStack, kCalleeBase), t0);
  masm.load_address(t1, word_at(t0, static_cast<int>(Thread::kLeafSlots) * kSlotBytes));
  masm.compare(t1, thread_field(offsetof(Thread, stack_soft_limit)));
  masm.branch(Condition::Above, no_room);
  masm.compare(short_at(kThread, static_cast<int>(offsetof(Thread, native_depth))), kMaxNativeDepth - 1);
  masm.branch(Condition::GreaterEqual, no_room);
}

/// a1 := the Lua function that the cache in a4 knows, a3 := the table that is its first argument; a3 is the table, a2 its shape. Clobbers
/// t0.
void find_handler(Masm& masm, bool may_have_holder, const Label& unknown) {
  branch_unless_kind(masm, InlineCache::kHandler, unknown);
  if (may_have_holder) {
    const Label own = masm.new_label();
    masm.load(a1, field(a4, offsetof(InlineCache, holder)));
    masm.branch_if_zero(a1, own);
    branch_unless_epoch(masm, t0, unknown);
    masm.move(a3, a1);
    masm.bind(own);
  }
  masm.load(a1, field(a3, offsetof(Table, own_metatable)));
  masm.branch_if_zero(a1, unknown);
  masm.load(t0, field(a1, offsetof(Table, shape)));
  masm.compare(t0, field(a4, offsetof(InlineCache, holder_shape)));
  masm.branch(Condition::NotEqual, unknown);
  load_slot_address(masm, a1);
  masm.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::LuaFunction)));
  masm.branch(Condition::NotEqual, unknown);
  masm.load(a1, word_at(t0));
}

/// The frame whose base is in t0: the function in a1, and its header. Clobbers a2, a0.
void write_frame(Masm& masm, int wanted_results) {
  masm.load(a0, word_at(kStack, kSavedPc));
  masm.store(word_at(kBase, kSavedPcOffset), a0);
  masm.store(word_at(t0, kFunctionOffset), a1);
  masm.store(word_at(t0, kFunctionOffset + kTagOffset), static_cast<int>(tag_bits(Tag::LuaFunction)));
  write_position(masm, t0);
  masm.load_word(a2, tag_bits(Tag::Frame) | static_cast<uint64_t>(wanted_results) << 32);
  masm.store(word_at(t0, kCountsTagOffset), a2);
}

void put_argument(Masm& masm, int index, const Gp& payload, Tag tag) {
  masm.store(word_at(t0, index * kSlotBytes), payload);
  masm.store(word_at(t0, index * kSlotBytes + kTagOffset), static_cast<int>(tag_bits(tag)));
}

}  // namespace

void emit_handler_or_runtime_call(Masm& masm, SiteAccess access, const Label& otherwise, const Label& leave, const FrameSize& frame_size) {
  const bool stores = is_store(access), is_of_global = is_global(access), is_computed = !is_by_name(access);
  const Label done = masm.new_label(), unknown = masm.new_label(), found = masm.new_label();
  frame_size(8);
  masm.push(kBase);
  masm.push(a2);
  masm.reserve_stack(8);
  frame_size(8 + kBytes);
  masm.move(t2, t0);
  begin_call_above(masm, unknown);
  if (stores) {
    masm.store(word_at(t0, 2 * kSlotBytes), a1);
    masm.store(word_at(t0, 2 * kSlotBytes + kTagOffset), a0);
    if (!is_of_global) load_register_offset(masm, a3, a2, offsetof(Instruction, a));
  } else if (!is_of_global) {
    load_register_offset(masm, a3, a2, offsetof(Instruction, b));
  }
  if (is_computed) {
    load_register_offset(masm, a2, a2, stores ? offsetof(Instruction, b) : offsetof(Instruction, c));
    masm.compare(short_at(kBase, a2, 0, kTagOffset), static_cast<int>(tag_bits(Tag::String)));
    masm.branch(Condition::NotEqual, unknown);
    masm.load(a5, word_at(kBase, a2));
  }
  if (!is_of_global) {
    masm.compare(short_at(kBase, a3, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Table)));
    masm.branch(Condition::NotEqual, unknown);
    masm.load(a3, word_at(kBase, a3));
  }
  masm.load(a2, field(a3, offsetof(Table, shape)));
  if (!is_computed) {
    masm.compare(a2, field(a4, offsetof(InlineCache, shape)));
    masm.branch(Condition::Equal, found);
  }
  find_shared_cache(masm, stores, unknown);
  masm.bind(found);
  find_handler(masm, !stores, unknown);
  masm.increment(short_at(kThread, static_cast<int>(offsetof(Thread, native_depth))));
  masm.load(t0, word_at(kStack, kCalleeBase));
  write_frame(masm, stores ? 0 : 1);
  put_argument(masm, 0, a3, Tag::Table);
  put_argument(masm, 1, a5, Tag::String);
  masm.move(kBase, t0);
  masm.load(t0, field(a1, offsetof(LuaFunction, proto)));
  static_assert(kNativeEntries > 4);
  masm.call(field(t0, offsetof(Proto, native_entries) + (stores ? 3 : 2) * sizeof(void*)));
  const MetamethodResult result = stores ? MetamethodResult::None : MetamethodResult::Value;
  end_metamethod(masm, result, done);
  frame_size(8);
  return_to_site(masm, result, leave);
  frame_size(8 + kBytes);
  masm.bind(unknown);
  masm.move(t0, t2);
  masm.load(a2, word_at(kStack, kSavedPc));
  masm.drop_stack(kBytes);
  frame_size(8);
  masm.jump(otherwise);
}

void emit_runtime_call_or_metamethod(Masm& masm, MetamethodResult result, const Label& leave, const FrameSize& frame_size) {
  const Label done = masm.new_label();
  frame_size(8);
  masm.push(kBase);
  masm.push(a2);
  masm.reserve_stack(8);
  frame_size(8 + kBytes);
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.call(t0);
  masm.branch_if_zero(a2, done);
  masm.store(word_at(kStack, kCalleeBase), a2);
  masm.move(kBase, a2);
  masm.call(t0);
  end_metamethod(masm, result, done);
  frame_size(8);
  return_to_site(masm, result, leave);
}

}  // namespace mangata::jit
