// Access by field name (site_stubs.h): what an inline cache of the site knows, or the one that all share; a function that a cache knows;
// the runtime.
//
// Throughout: a3 the table, a2 its shape, a4 the cache, a5 the key, t2 the saved pc; of stores a1 and a0 payload and tag of the value.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/cached_access.h"
#include "jit/baseline/site_stubs.h"

namespace mangata::jit {

using namespace registers;

namespace {

class NameStub {
 public:
  NameStub(Masm& masm, SiteAccess access, const SiteStubLabels& labels, const FrameSize& frame_size)
      : masm_(masm), access_(access), labels_(labels), frame_size_(frame_size) {}

  void emit() {
    const Label known = masm_.new_label(), known_second = masm_.new_label();
    masm_.move(t2, a2);
    load_table();
    masm_.load(a2, field(a3, offsetof(Table, shape)));
    static_assert(offsetof(InlineCache, shape) == 0);
    masm_.compare(a2, word_at(a4));
    masm_.branch(Condition::Equal, known);
    load_second_cache();
    masm_.compare(a2, word_at(t1));
    masm_.branch(Condition::Equal, known_second);
    emit_by_any_cache();
    masm_.bind(known_second);
    masm_.move(a4, t1);
    masm_.bind(known);
    is_store(access_) ? emit_known_store() : emit_known_load();
    emit_rest();
    if (access_ == SiteAccess::Self) emit_method_of_string();
  }

 private:
  void load_table() {
    const size_t operand = is_store(access_) ? offsetof(Instruction, a) : offsetof(Instruction, b);
    if (is_global(access_)) {
      masm_.load_unsigned(low(a3), is_store(access_) ? byte_at(t2, offset_in_running(operand)) : half_short_at(t2, offset_in_running(operand)));
      masm_.load(t0, word_at(kBase, kFunctionOffset));
      masm_.load(a3, word_at(t0, a3, 3, offsetof(LuaFunction, upvalues)));
      masm_.load(a3, field(a3, offsetof(Upvalue, location)));
      masm_.compare(short_at(a3, kTagOffset), static_cast<int>(tag_bits(Tag::Table)));
      masm_.branch(Condition::NotEqual, no_table_);
      masm_.load(a3, word_at(a3));
      return;
    }
    load_register_offset(masm_, a3, t2, operand);
    masm_.load(low(t1), short_at(kBase, a3, 0, kTagOffset));
    masm_.load(a3, word_at(kBase, a3));
    masm_.compare(low(t1), static_cast<int>(tag_bits(Tag::Table)));
    masm_.branch(Condition::NotEqual, access_ == SiteAccess::Self ? no_table_but_maybe_string_ : no_table_);
  }

  /// t1 := how far the site's caches are from the first ones of the function.
  void load_cache_offset() {
    static_assert(sizeof(InlineCache) == 5 * 8);
    masm_.load_unsigned(low(t1), half_short_at(t2, offset_in_running(offsetof(Instruction, d))));
    masm_.load_address(t1, word_at(t1, t1, 2));
    masm_.shift_left(low(t1), 3);
  }

  /// t1 := the site's second cache, t0 := the Proto.
  void load_second_cache() {
    load_running_proto(masm_, t0);
    load_cache_offset();
    masm_.add(t1, elements_of(t0, offsetof(Proto, second_caches)));
  }

  /// The cache in a4 is about the table's shape.
  void emit_known_load() {
    const Label own = masm_.new_label(), is_nil = masm_.new_label(), by_any_cache = masm_.new_label();
    masm_.load_unsigned(low(t0), byte_at(a4, offsetof(InlineCache, kind)));
    masm_.compare(low(t0), static_cast<int>(InlineCache::kOwn));
    masm_.branch(Condition::Equal, own);
    masm_.compare(low(t0), static_cast<int>(InlineCache::kHandler));
    masm_.branch(Condition::Equal, by_handler_of_site_);
    masm_.compare(low(t0), static_cast<int>(InlineCache::kMetatable));
    masm_.branch(Condition::NotEqual, by_any_cache);
    load_from_holder(masm_, by_any_cache);
    masm_.jump(loaded_);
    masm_.bind(own);
    load_slot(masm_, a3);
    masm_.branch(Condition::Zero, is_nil);
    end_load();
    masm_.bind(is_nil);
    masm_.compare(field(a3, offsetof(Table, own_metatable)), 0);  // otherwise it may be absent
    masm_.branch(Condition::Equal, loaded_);
    branch_unless_epoch(masm_, t0, by_any_cache);
    masm_.jump(loaded_);
    masm_.bind(by_any_cache);
    masm_.load(a2, field(a3, offsetof(Table, shape)));
    load_running_proto(masm_, t0);
    emit_by_any_cache();
  }

  void emit_known_store() {
    const Label by_any_cache = masm_.new_label();
    masm_.load_unsigned(low(t0), byte_at(a4, offsetof(InlineCache, kind)));
    masm_.compare(low(t0), static_cast<int>(InlineCache::kHandler));
    masm_.branch(Condition::Equal, by_handler_of_site_);
    masm_.compare(low(t0), static_cast<int>(InlineCache::kOwn));
    masm_.branch(Condition::NotEqual, by_any_cache);
    load_slot_address(masm_, a3);
    masm_.compare(short_at(t0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
    masm_.branch(Condition::Equal, by_any_cache);
    load_running_proto(masm_, a4);
    load_stored_value(masm_, t2, a4);
    masm_.store(word_at(t0), a1);
    masm_.store(word_at(t0, kTagOffset), a0);
    end_store();
    masm_.bind(by_any_cache);
    load_running_proto(masm_, t0);
    emit_by_any_cache();
  }

  /// By the cache in a4, if it is about the table's shape, or the one that all sites share. t0: the Proto.
  void emit_by_any_cache() {
    load_key();
    if (is_store(access_)) load_stored_value(masm_, t2, t0);
    masm_.call(is_store(access_) ? labels_.set_by_cache : labels_.get_by_cache);
    masm_.branch_on_miss(miss_);
    is_store(access_) ? end_store() : masm_.jump(loaded_);
  }

  /// a5 := the name. t0: the Proto.
  void load_key() {
    load_register_offset(masm_, a5, t2, is_store(access_) ? offsetof(Instruction, b) : offsetof(Instruction, c));
    masm_.add(a5, elements_of(t0, offsetof(Proto, constants)));
    masm_.load(a5, word_at(a5));
  }

  /// a4 := the site's first cache. t0: the Proto; clobbers t1.
  void load_first_cache() {
    load_cache_offset();
    masm_.load(a4, elements_of(t0, offsetof(Proto, caches)));
    masm_.add(a4, t1);
  }

  /// R[a] := a1, a0.
  void end_load() {
    masm_.bind(loaded_);
    load_register_offset(masm_, t2, t2, offsetof(Instruction, a));
    masm_.store(word_at(kBase, t2), a1);
    masm_.store(word_at(kBase, t2, 0, kTagOffset), a0);
    masm_.return_to_caller();
  }

  /// After the store to the address in t0.
  void end_store() {
    const Label marking = masm_.new_label();
    masm_.compare(byte_at(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
    masm_.branch(Condition::NotEqual, marking);
    masm_.return_to_caller();
    masm_.bind(marking);
    masm_.reserve_stack(8);
    frame_size_(16);
    masm_.move(a2, t0);
    masm_.move(a1, a3);
    masm_.move(a0, kVm);
    masm_.call(barrier_of_new_property);
    masm_.drop_stack(8);
    frame_size_(8);
    masm_.return_to_caller();
  }

  void emit_rest() {
    const Label by_handler = masm_.new_label();
    masm_.bind(by_handler_of_site_);
    load_running_proto(masm_, t0);
    load_key();
    if (is_store(access_)) load_stored_value(masm_, t2, t0);
    masm_.jump(by_handler);
    masm_.bind(miss_);  // the cache is lost
    load_running_proto(masm_, t0);
    load_first_cache();
    masm_.bind(by_handler);
    masm_.move(a2, t2);
    go_on_at(masm_, access_, labels_.by_handler);
    masm_.bind(no_table_);
    masm_.move(a2, t2);
    go_on_at(masm_, access_, labels_.by_runtime);
  }

  /// Strings have the methods of their common metatable, whose instances' shape stands in the cache for theirs.
  void emit_method_of_string() {
    constexpr size_t kStringMetatable = offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    masm_.bind(no_table_but_maybe_string_);
    masm_.compare(low(t1), static_cast<int>(tag_bits(Tag::String)));
    masm_.branch(Condition::NotEqual, no_table_);
    masm_.load(a2, vm_field(kStringMetatable));
    masm_.branch_if_zero(a2, no_table_);
    masm_.load(a2, field(a2, offsetof(Table, instance_shape)));
    masm_.branch_if_zero(a2, no_table_);
    masm_.compare(a2, word_at(a4));
    masm_.branch(Condition::NotEqual, no_table_);
    branch_unless_kind(masm_, InlineCache::kMetatable, no_table_);
    load_from_holder(masm_, no_table_);
    masm_.jump(loaded_);
  }

  Masm& masm_;
  const SiteAccess access_;
  const SiteStubLabels& labels_;
  const FrameSize& frame_size_;
  Label miss_ = masm_.new_label(), by_handler_of_site_ = masm_.new_label(), no_table_ = masm_.new_label(), loaded_ = masm_.new_label();
  Label no_table_but_maybe_string_ = masm_.new_label();
};

}  // namespace

void emit_access_by_name(Masm& masm, SiteAccess access, const SiteStubLabels& labels, const FrameSize& frame_size) {
  NameStub(masm, access, labels, frame_size).emit();
}

}  // namespace mangata::jit
