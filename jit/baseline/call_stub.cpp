// A Call of what is no Lua function, where the direct form of a native function does not do (site_stubs.h).
//
// [DESIGN] Sites call direct forms themselves: each has an address to predict of its own then. A metamethod __call is entered by a jump,
// with the site's return address where it would be had the site called it: so it returns to the site, and there is no frame of the stub in
// between. The same holds for switches to another coroutine, which go on where they are told to.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/site_stubs.h"
#include "jit/baseline/switch_stub.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// What the numbers of results that are wanted are in an instruction: one more.
constexpr int kAllWanted = 0, kNoneWanted = 1;

class CallStub {
 public:
  CallStub(Masm& masm, const Label& switch_coroutine, const FrameSize& frame_size)
      : masm_(masm), switch_coroutine_(switch_coroutine), frame_size_(frame_size) {}

  /// Throughout: a2 the saved pc; a1 the address of the function; a3 the arguments.
  void emit() {
    frame_size_(8);
    load_function_address();
    masm_.compare(low(t0), kNotTried);
    masm_.branch(Condition::NotEqual, tried_);
    load_argument_count();
    masm_.compare(short_at(a1, kTagOffset), static_cast<int>(tag_bits(Tag::NativeFunction)));
    masm_.branch(Condition::NotEqual, object_);
    masm_.load(a0, word_at(a1));
    emit_framed();
    emit_direct_results();
    emit_open();
    emit_object();
    emit_runtime_calls();
  }

 private:
  void load_function_address() {
    load_register_offset(masm_, a1, a2, offsetof(Instruction, a));
    masm_.add(a1, kBase);
  }

  void load_argument_count() {
    masm_.load_unsigned(low(a3), half_short_at(a2, offset_in_running(offsetof(Instruction, b))));
    masm_.take_one(low(a3), open_);
    masm_.bind(counted_);
  }

  /// Arguments that end at Thread::top.
  void emit_open() {
    masm_.bind(open_);
    masm_.load(a3, thread_field(offsetof(Thread, top)));
    masm_.subtract(a3, a1);
    masm_.shift_right(a3, kSlotShift);
    masm_.subtract(low(a3), kCallOverheadSlots);
    masm_.jump(counted_);
  }

  /// t0 results at the function's register, or kNotDirect.
  void emit_direct_results() {
    masm_.bind(tried_);
    const Label none = masm_.new_label(), fewer = masm_.new_label(), complete = masm_.new_label(), fill = masm_.new_label();
    masm_.load_unsigned(low(a3), half_short_at(a2, offset_in_running(offsetof(Instruction, c))));
    masm_.compare(low(a3), kNoneWanted);
    masm_.branch(Condition::BelowEqual, none);
    masm_.decrement(low(a3));
    masm_.compare(low(t0), low(a3));
    masm_.branch(Condition::Less, fewer);
    masm_.bind(complete);
    masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
    masm_.branch(Condition::Greater, collect_);  // it may have allocated
    masm_.clear(t0);
    masm_.return_to_caller();
    masm_.bind(none);
    masm_.branch_if_negative(low(t0), real_call_);
    masm_.compare(low(a3), kAllWanted);
    masm_.branch(Condition::NotEqual, complete);
    masm_.shift_left(low(t0), kSlotShift);
    masm_.add(t0, a1);
    masm_.store(thread_field(offsetof(Thread, top)), t0);
    masm_.jump(complete);
    masm_.bind(fewer);
    masm_.branch_if_negative(low(t0), real_call_);
    masm_.shift_left(low(t0), kSlotShift);
    masm_.shift_left(low(a3), kSlotShift);
    masm_.bind(fill);
    masm_.store(word_at(a1, t0), 0);
    masm_.store(word_at(a1, t0, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
    masm_.add(t0, kSlotBytes);
    masm_.compare(t0, a3);
    masm_.branch(Condition::Below, fill);
    masm_.jump(complete);
  }

  /// A native function without a direct form, in a0.
  void emit_framed() {
    constexpr int kFirst = static_cast<int>(NativeId::Resume), kLast = static_cast<int>(NativeId::Yield);
    if (kSwitchesInline) {
      masm_.load_unsigned(low(a5), byte_at(a0, offsetof(NativeFunction, type_byte)));
      masm_.subtract(low(a5), kFirst);
      masm_.compare(low(a5), kLast - kFirst);
      masm_.branch(Condition::Above, real_call_);
      masm_.compare(vm_field(offsetof(Vm, path_allocations)), 0);  // which must be told, too
      masm_.branch(Condition::NotEqual, real_call_);
      masm_.load_unsigned(low(a4), half_short_at(a2, offset_in_running(offsetof(Instruction, c))));
      masm_.decrement(low(a4));
      masm_.and_(low(a4), kWantedResultsMask);
      masm_.pop(t0);
      frame_size_(16);
      masm_.jump(switch_coroutine_);
      frame_size_(8);
    } else {
      masm_.jump(real_call_);
    }
  }

  /// Its __call, when that is a Lua function.
  void emit_object() {
    masm_.bind(object_);
    masm_.push(a2);
    frame_size_(16);
    masm_.move(a0, kVm);
    masm_.move(low(a2), low(a3));
    masm_.call(runtime_resolve_call);
    masm_.pop(a2);
    frame_size_(8);
    masm_.branch_if_negative(low(t0), real_call_);
    masm_.move(low(a3), low(t0));
    load_function_address();
    masm_.store(word_at(kBase, kSavedPcOffset), a2);
    masm_.load_address(t1, word_at(a1, kCallOverheadSlots * kSlotBytes));
    masm_.load_unsigned(low(a4), half_short_at(a2, offset_in_running(offsetof(Instruction, c))));
    masm_.decrement(low(a4));
    masm_.and_(low(a4), kWantedResultsMask);
    write_position(masm_, t1);
    masm_.shift_left(a4, 32);
    masm_.or_(a4, a0);
    masm_.store(word_at(t1, kCountsTagOffset), a4);
    masm_.load(t0, word_at(a1));
    masm_.load(t0, field(t0, offsetof(LuaFunction, proto)));
    masm_.move(kBase, t1);
    masm_.jump(field(t0, offsetof(Proto, native_entries) + (kNativeEntries - 1) * sizeof(void*)));
  }

  void emit_runtime_call(RuntimeCall call) {
    masm_.reserve_stack(8);
    frame_size_(16);
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.call(call);
    masm_.drop_stack(8);
    frame_size_(8);
    masm_.return_to_caller();
  }

  void emit_runtime_calls() {
    masm_.bind(real_call_);
    emit_runtime_call(runtime_call);
    masm_.bind(collect_);
    emit_runtime_call(runtime_safepoint_after_call);
  }

  Masm& masm_;
  const Label& switch_coroutine_;
  const FrameSize& frame_size_;
  Label counted_ = masm_.new_label(), open_ = masm_.new_label(), object_ = masm_.new_label(), tried_ = masm_.new_label(), real_call_ = masm_.new_label(), collect_ = masm_.new_label();
};

}  // namespace

void emit_call_of_other(Masm& masm, const Label& switch_coroutine, const FrameSize& frame_size) {
  CallStub(masm, switch_coroutine, frame_size).emit();
}

}  // namespace mangata::jit
