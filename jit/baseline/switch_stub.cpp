#include "jit/baseline/switch_stub.h"

#include "jit/abi/runtime_calls_switch.h"
#include "jit/abi/tier.h"
#include "jit/x64/masm.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"

namespace mangata::jit {

using namespace registers;

namespace {

constexpr int kResume = 0;
constexpr int kYield = static_cast<int>(NativeId::Yield) - static_cast<int>(NativeId::Resume);
static_assert(static_cast<int>(NativeId::ResumeWrapped) - static_cast<int>(NativeId::Resume) == 1 &&
              kYield == 2);

// What is on the native stack while the frame waits: below it, what the site passed; below that, the
// coroutine and the thread, with what regions that are in the middle of calls have in the registers that compiled code leaves as they are;
// at the end of it the address where to go on, to which the context points.
constexpr int kSavedPc = 0, kFunction = 8, kWanted = 16,
              kSavedBytes = 32;  // without the coroutine and the thread
constexpr uint32_t kFrameBytes = 16;
constexpr int kLineBytes = 64;

template <typename T>
int enum_value(T value) {
  return static_cast<int>(value);
}

/// The code of one emit_switch_coroutine.
class Stub {
 public:
  Stub(Masm& masm, const std::function<void(uint32_t bytes)>& frame_size)
      : masm_(masm), frame_size_(frame_size) {}

  void emit() {
    const Label yield = masm_.new_label();
    frame_size_(kFrameBytes);
    emit_native_frame();
    masm_.compare(low(a5), kYield);
    masm_.branch(Condition::Equal, yield);
    emit_resume();
    masm_.bind(yield);
    emit_yield();
    emit_resumed();
    emit_yielded();
    emit_deliver();
    emit_slow();
  }

 private:
  /// Saves what the site passed, and writes the header of the function's frame. t2 := its base.
  void emit_native_frame() {
    masm_.store(word_at(kBase, kSavedPcOffset), a2);
    masm_.push(t0);
    masm_.push(a4);
    masm_.push(a1);
    masm_.push(a2);
    masm_.load_address(t2, word_at(a1, kCallOverheadSlots * kSlotBytes));
    masm_.move(t0, t2);
    masm_.subtract(t0, kBase);
    masm_.shift_left(t0, 32 + 8 - kSlotShift);  // caller_delta_slots
    masm_.load_word(a2, tag_bits(Tag::Frame) | uint64_t{FrameHeader::kNative} << 32);
    masm_.or_(t0, a2);
    masm_.store(word_at(t2, kSavedPcOffset), 0);
    masm_.store(word_at(t2, kPositionTagOffset), t0);
    masm_.move(low(t0), low(a4));
    masm_.shift_left(t0, 32);
    masm_.or_(t0, static_cast<int>(tag_bits(Tag::Frame)));
    masm_.store(word_at(t2, kCountsTagOffset), t0);
  }

  /// Suspends this frame: it goes on at `label`. t0: where its context is stored; on at the context in a3.
  void emit_switch(const Label& label) {
    masm_.push(kUnused);
    masm_.push(kUnusedToo);
    masm_.push(t1);
    masm_.push(kThread);
    masm_.load_address(a2, label);
    masm_.push(a2);
    masm_.store(word_at(t0), kStack);
    masm_.move(kStack, a3);
    masm_.pop(a3);
    masm_.jump(a3);
  }

  /// Of many coroutines none is in the caches: all that is needed of the one in t1 is asked for at once. a0
  /// := its top.
  void emit_prefetch() {
    for (const size_t used :
         {offsetof(Thread, status), offsetof(Thread, context), offsetof(Thread, hook_mask)})
      masm_.prefetch(field(t1, used));
    masm_.load(t0, field(t1, offsetof(Thread, context)));
    masm_.load(a0, field(t1, offsetof(Thread, top)));
    masm_.prefetch(word_at(t0));
    masm_.prefetch(word_at(a0, -1));
    masm_.prefetch(word_at(t0, kSavedBytes + kFrameBytes));
    masm_.prefetch(word_at(a0, -kLineBytes));
  }

  void emit_resume() {
    const Label wrapped = masm_.new_label(), found = masm_.new_label(), again = masm_.new_label(), copied = masm_.new_label();
    constexpr int kRoomBytes = kMinimumNativeSlots * kSlotBytes;
    masm_.load(t1, field(a0, offsetof(NativeFunction, upvalues)));
    masm_.branch_if_not_zero(low(a5), wrapped);
    masm_.branch_if_zero(low(a3), slow_);
    masm_.compare(short_at(t2, kTagOffset), enum_value(Tag::Thread));
    masm_.branch(Condition::NotEqual, slow_);
    masm_.load(t1, word_at(t2));
    masm_.load_word(low(a5), kSlotBytes);
    masm_.jump(found);
    masm_.bind(wrapped);
    masm_.clear(a5);
    masm_.bind(found);  // t1: the coroutine; a5: the bytes of arguments that are not for it
    emit_prefetch();
    masm_.shift_left(low(a3), kSlotShift);
    masm_.compare(byte_field(t1, offsetof(Thread, status)), enum_value(ThreadStatus::Suspended));
    masm_.branch(Condition::NotEqual, slow_);
    masm_.compare(field(t1, offsetof(Thread, native_stack)), 0);
    masm_.branch(Condition::Equal, slow_);
    masm_.load_address(t0, word_at(a0, a3, 0, kRoomBytes));
    masm_.compare(t0, field(t1, offsetof(Thread, stack_soft_limit)));
    masm_.branch(Condition::Above, slow_);
    masm_.load_address(t0, word_at(t2, a3, 0, kRoomBytes));
    masm_.compare(t0, thread_field(offsetof(Thread, stack_soft_limit)));
    masm_.branch(Condition::Above, slow_);
    masm_.load(low(t0), short_field(kThread, offsetof(Thread, native_depth)));
    masm_.compare(low(t0), static_cast<int>(kMaxNativeDepth - 1));
    masm_.branch(Condition::AboveEqual, slow_);
    masm_.add(short_field(t1, offsetof(Thread, native_depth)), low(t0));
    masm_.store(field(t1, offsetof(Thread, resumer)), kThread);
    masm_.store(byte_field(kThread, offsetof(Thread, status)), enum_value(ThreadStatus::Normal));
    masm_.store(byte_field(t1, offsetof(Thread, status)), enum_value(ThreadStatus::Running));
    masm_.store(byte_field(t1, offsetof(Thread, outcome)), enum_value(RunOutcome::Yielded));
    masm_.store(vm_field(offsetof(Vm, current)), t1);
    masm_.store(thread_field(offsetof(Thread, base)), t2);
    masm_.subtract(a3, a5);
    masm_.move(low(t0), low(a3));
    masm_.shift_right(low(t0), kSlotShift);
    masm_.store(short_field(t1, offsetof(Thread, transfer_count)), low(t0));
    masm_.add(t2, a5);
    masm_.store(thread_field(offsetof(Thread, top)), t2);
    masm_.branch_if_zero(a3, copied);
    masm_.bind(again);
    copy_slot(a0, t2);
    masm_.subtract_and_branch_if_not_zero(a3, kSlotBytes, again);
    masm_.store(field(t1, offsetof(Thread, top)), a0);
    masm_.bind(copied);
    masm_.load_address(t0, field(t1, offsetof(Thread, resumer_context)));
    masm_.load(a3, field(t1, offsetof(Thread, context)));
    emit_switch(resumed_);
  }

  void emit_yield() {
    masm_.compare(short_field(kThread, offsetof(Thread, non_yieldable)), 0);  // the main thread's is not
    masm_.branch(Condition::NotEqual, slow_);
    masm_.store(short_field(kThread, offsetof(Thread, transfer_count)), low(a3));
    masm_.shift_left(low(a3), kSlotShift);
    masm_.store(thread_field(offsetof(Thread, base)), t2);
    masm_.add(t2, a3);
    masm_.store(thread_field(offsetof(Thread, top)), t2);
    masm_.load(t1, thread_field(offsetof(Thread, resumer)));
    masm_.load(low(t0), short_field(t1, offsetof(Thread, native_depth)));
    masm_.subtract(short_field(kThread, offsetof(Thread, native_depth)), low(t0));
    masm_.load_address(t0, thread_field(offsetof(Thread, context)));
    masm_.load(a3, thread_field(offsetof(Thread, resumer_context)));
    emit_switch(yielded_);
  }

  /// What emit_switch() has pushed.
  void emit_restore() {
    masm_.pop(kThread);
    masm_.pop(t1);
    masm_.pop(kUnusedToo);
    masm_.pop(kUnused);
  }

  /// Back in a suspended frame: its thread, and in t1 the coroutine it has resumed.
  void emit_arrival() {
    emit_restore();
    masm_.load(kVm, thread_field(offsetof(Thread, vm)));
    masm_.load(t0, vm_field(offsetof(Vm, native_tier)));
    masm_.compare(byte_field(kThread, offsetof(Thread, hook_mask)), 0);
    masm_.branch(Condition::NotEqual, finish_slowly_);
    masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
    masm_.branch(Condition::Greater, finish_slowly_);
    masm_.compare(short_field(t0, offsetof(Tier, leave_period)), 0);
    masm_.branch(Condition::NotEqual, finish_slowly_);
    masm_.load(t2, word_at(kStack, kFunction));
    masm_.load(a4, word_at(kStack, kWanted));
  }

  /// The coroutine has handed over.
  void emit_resumed() {
    masm_.bind(resumed_);
    emit_arrival();
    masm_.compare(byte_field(t1, offsetof(Thread, outcome)), enum_value(RunOutcome::Yielded));
    masm_.branch(Condition::NotEqual, finish_slowly_);
    masm_.compare(byte_field(t1, offsetof(Thread, stack_is_free)), 0);
    masm_.branch(Condition::NotEqual, finish_slowly_);
    masm_.load(low(a3), short_field(t1, offsetof(Thread, transfer_count)));
    masm_.shift_left(a3, kSlotShift);
    masm_.load_address(t0, word_at(t2, a3, 0, (kCallOverheadSlots + 1) * kSlotBytes));
    masm_.compare(t0, thread_field(offsetof(Thread, stack_soft_limit)));
    masm_.branch(Condition::Above, finish_slowly_);
    masm_.store(vm_field(offsetof(Vm, current)), kThread);
    masm_.store(byte_field(kThread, offsetof(Thread, status)), enum_value(ThreadStatus::Running));
    masm_.store(byte_field(t1, offsetof(Thread, status)), enum_value(ThreadStatus::Suspended));
    masm_.store(field(t1, offsetof(Thread, resumer)), 0);
    masm_.load(a2, field(t1, offsetof(Thread, top)));
    masm_.move(a0, a2);
    masm_.subtract(a0, a3);
    masm_.store(field(t1, offsetof(Thread, top)), a0);
    masm_.load(t0, word_at(t2));
    masm_.compare(byte_field(t0, offsetof(NativeFunction, type_byte)), enum_value(NativeId::Resume));
    masm_.branch(Condition::NotEqual, deliver_);
    masm_.store(word_at(t2), 1);
    masm_.store(word_at(t2, kTagOffset), enum_value(Tag::True));
    masm_.add(t2, kSlotBytes);
    masm_.compare(low(a4), kWantedResultsMask);
    masm_.branch(Condition::Equal, deliver_);
    masm_.decrement(a4);
    masm_.jump(deliver_);
  }

  /// Somebody has resumed this coroutine.
  void emit_yielded() {
    masm_.bind(yielded_);
    emit_arrival();
    masm_.compare(byte_field(kThread, offsetof(Thread, being_closed)), 0);
    masm_.branch(Condition::NotEqual, finish_slowly_);
    masm_.load(low(a3), short_field(kThread, offsetof(Thread, transfer_count)));
    masm_.shift_left(a3, kSlotShift);
    masm_.load(a2, thread_field(offsetof(Thread, top)));
    masm_.move(a0, a2);
    masm_.subtract(a0, a3);
  }

  /// The values from a0 to a2 are the results: to t2, adjusted to a4, and on at the site.
  void emit_deliver() {
    const Label all = masm_.new_label(), copy = masm_.new_label(), fill = masm_.new_label(), done = masm_.new_label();
    masm_.bind(deliver_);
    masm_.compare(low(a4), kWantedResultsMask);
    masm_.branch(Condition::Equal, all);
    masm_.shift_left(a4, kSlotShift);
    masm_.add(a4, t2);
    masm_.bind(copy);  // a4: the end of the destination, which may lie before its start
    masm_.compare(t2, a4);
    masm_.branch(Condition::AboveEqual, done);
    masm_.compare(a0, a2);
    masm_.branch(Condition::AboveEqual, fill);
    masm_.load(t0, word_at(a0));
    masm_.load(a3, word_at(a0, kTagOffset));
    masm_.store(word_at(t2), t0);
    masm_.store(word_at(t2, kTagOffset), a3);
    masm_.add(a0, kSlotBytes);
    masm_.add(t2, kSlotBytes);
    masm_.jump(copy);
    masm_.bind(fill);
    masm_.store(word_at(t2), 0);
    masm_.store(word_at(t2, kTagOffset), enum_value(Tag::Nil));
    masm_.add(t2, kSlotBytes);
    masm_.compare(t2, a4);
    masm_.branch(Condition::Below, fill);
    masm_.bind(done);
    masm_.load(kBase, word_at(kStack, kSavedBytes));
    masm_.clear(t0);
    emit_back_to_site();
    masm_.bind(all);
    masm_.load_address(a4, word_at(t2, a2));
    masm_.subtract(a4, a0);
    masm_.store(thread_field(offsetof(Thread, top)), a4);
    masm_.jump(copy);
  }

  void emit_back_to_site() {
    masm_.drop_stack(kSavedBytes - 8);
    masm_.pop(a3);
    masm_.jump(a3);
  }

  /// Calls runtime_call(thread, base, pc), whose outcome the site gets. On the stack is what the site passed.
  void emit_last_call(RuntimeCall runtime_call) {
    masm_.load(kVm, thread_field(offsetof(Thread, vm)));
    masm_.load(kBase, word_at(kStack, kSavedBytes));
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.load(a2, word_at(kStack, kSavedPc));
    masm_.call(runtime_call);
    emit_back_to_site();
  }

  void emit_slow() {
    const Label no_switch = masm_.new_label(), arrived = masm_.new_label();
    frame_size_(kFrameBytes + kSavedBytes);
    masm_.bind(slow_);
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.load(a2, word_at(kStack, kSavedPc));
    masm_.call(runtime_start_switch);
    masm_.branch_if_zero(t0, no_switch);
    masm_.move(a3, t0);
    masm_.move(t0, a2);
    emit_switch(arrived);
    masm_.bind(no_switch);
    emit_last_call(runtime_call_without_switch);
    masm_.bind(arrived);
    emit_restore();
    masm_.bind(finish_slowly_);
    emit_last_call(runtime_finish_switch);
  }

  Masm& masm_;
  const std::function<void(uint32_t bytes)>& frame_size_;
  Label slow_ = masm_.new_label(), finish_slowly_ = masm_.new_label(), deliver_ = masm_.new_label();
  Label resumed_ = masm_.new_label(), yielded_ = masm_.new_label();

  /// *to++ = *from++. Clobbers t0, a2.
  void copy_slot(const Gp& to, const Gp& from) {
    masm_.load(t0, word_at(from));
    masm_.load(a2, word_at(from, kTagOffset));
    masm_.store(word_at(to), t0);
    masm_.store(word_at(to, kTagOffset), a2);
    masm_.add(from, kSlotBytes);
    masm_.add(to, kSlotBytes);
  }
};

}  // namespace

void emit_switch_coroutine(Masm& masm, const std::function<void(uint32_t bytes)>& frame_size) {
  Stub(masm, frame_size).emit();
}

}  // namespace mangata::jit
