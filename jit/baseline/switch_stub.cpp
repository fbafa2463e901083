#include "jit/baseline/switch_stub.h"

#include "jit/abi/runtime_calls_switch.h"
#include "jit/abi/tier.h"
#include "jit/x64/registers.h"
#include "vm/interpreter/interpreter.h"
#include "vm/native.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

constexpr int kResume = 0;
constexpr int kYield = static_cast<int>(NativeId::Yield) - static_cast<int>(NativeId::Resume);
static_assert(static_cast<int>(NativeId::ResumeWrapped) - static_cast<int>(NativeId::Resume) == 1 &&
              kYield == 2);

// What is on the native stack while the frame waits: below it, what the site passed; below that, the
// coroutine and the thread; at the end of it the address where to go on, to which the context points.
constexpr int kSavedPc = 0, kFunction = 8, kWanted = 16,
              kSavedBytes = 32;  // without the coroutine and the thread
constexpr uint32_t kFrameBytes = 16;
constexpr int kLineBytes = 64;

Mem byte_field(const Gp& object, size_t offset) { return byte_ptr(object, static_cast<int>(offset)); }
Mem short_field(const Gp& object, size_t offset) { return dword_ptr(object, static_cast<int>(offset)); }
template <typename T>
int enum_value(T value) {
  return static_cast<int>(value);
}

/// The code of one emit_switch_coroutine.
class Stub {
 public:
  Stub(Assembler& assembler, const std::function<void(uint32_t bytes)>& frame_size)
      : a_(assembler), frame_size_(frame_size) {}

  void emit() {
    const Label yield = a_.newLabel();
    frame_size_(kFrameBytes);
    emit_native_frame();
    a_.cmp(r9d, kYield);
    a_.je(yield);
    emit_resume();
    a_.bind(yield);
    emit_yield();
    emit_resumed();
    emit_yielded();
    emit_deliver();
    emit_slow();
  }

 private:
  /// Saves what the site passed, and writes the header of the function's frame. r11 := its base.
  void emit_native_frame() {
    a_.mov(qword_ptr(kBase, kSavedPcOffset), rdx);
    a_.push(rax);
    a_.push(r8);
    a_.push(rsi);
    a_.push(rdx);
    a_.lea(r11, qword_ptr(rsi, kCallOverheadSlots * kSlotBytes));
    a_.mov(rax, r11);
    a_.sub(rax, kBase);
    a_.shl(rax, 32 + 8 - kSlotShift);  // caller_delta_slots
    a_.mov(rdx, tag_bits(Tag::Frame) | uint64_t{FrameHeader::kNative} << 32);
    a_.or_(rax, rdx);
    a_.mov(qword_ptr(r11, kSavedPcOffset), 0);
    a_.mov(qword_ptr(r11, kPositionTagOffset), rax);
    a_.mov(eax, r8d);
    a_.shl(rax, 32);
    a_.or_(rax, static_cast<int>(tag_bits(Tag::Frame)));
    a_.mov(qword_ptr(r11, kCountsTagOffset), rax);
  }

  /// Suspends this frame: it goes on at `label`. rax: where its context is stored; on at the context in rcx.
  void emit_switch(const Label& label) {
    a_.push(r10);
    a_.push(kThread);
    a_.lea(rdx, ptr(label));
    a_.push(rdx);
    a_.mov(qword_ptr(rax), rsp);
    a_.mov(rsp, rcx);
    a_.pop(rcx);
    a_.jmp(rcx);
  }

  /// Of many coroutines none is in the caches: all that is needed of the one in r10 is asked for at once. rdi
  /// := its top.
  void emit_prefetch() {
    for (const size_t used :
         {offsetof(Thread, status), offsetof(Thread, context), offsetof(Thread, hook_mask)})
      a_.prefetcht0(field(r10, used));
    a_.mov(rax, field(r10, offsetof(Thread, context)));
    a_.mov(rdi, field(r10, offsetof(Thread, top)));
    a_.prefetcht0(ptr(rax));
    a_.prefetcht0(ptr(rdi, -1));
    a_.prefetcht0(ptr(rax, kSavedBytes + kFrameBytes));
    a_.prefetcht0(ptr(rdi, -kLineBytes));
  }

  void emit_resume() {
    const Label wrapped = a_.newLabel(), found = a_.newLabel(), again = a_.newLabel(), copied = a_.newLabel();
    constexpr int kRoomBytes = kMinimumNativeSlots * kSlotBytes;
    a_.mov(r10, field(rdi, offsetof(NativeFunction, upvalues)));
    a_.test(r9d, r9d);
    a_.jnz(wrapped);
    a_.test(ecx, ecx);
    a_.jz(slow_);
    a_.cmp(dword_ptr(r11, kTagOffset), enum_value(Tag::Thread));
    a_.jne(slow_);
    a_.mov(r10, qword_ptr(r11));
    a_.mov(r9d, kSlotBytes);
    a_.jmp(found);
    a_.bind(wrapped);
    a_.xor_(r9d, r9d);
    a_.bind(found);  // r10: the coroutine; r9: the bytes of arguments that are not for it
    emit_prefetch();
    a_.shl(ecx, kSlotShift);
    a_.cmp(byte_field(r10, offsetof(Thread, status)), enum_value(ThreadStatus::Suspended));
    a_.jne(slow_);
    a_.cmp(field(r10, offsetof(Thread, native_stack)), 0);
    a_.je(slow_);
    a_.lea(rax, ptr(rdi, rcx, 0, kRoomBytes));
    a_.cmp(rax, field(r10, offsetof(Thread, stack_soft_limit)));
    a_.ja(slow_);
    a_.lea(rax, ptr(r11, rcx, 0, kRoomBytes));
    a_.cmp(rax, thread_field(offsetof(Thread, stack_soft_limit)));
    a_.ja(slow_);
    a_.mov(eax, short_field(kThread, offsetof(Thread, native_depth)));
    a_.cmp(eax, static_cast<int>(kMaxNativeDepth - 1));
    a_.jae(slow_);
    a_.add(short_field(r10, offsetof(Thread, native_depth)), eax);
    a_.mov(field(r10, offsetof(Thread, resumer)), kThread);
    a_.mov(byte_field(kThread, offsetof(Thread, status)), enum_value(ThreadStatus::Normal));
    a_.mov(byte_field(r10, offsetof(Thread, status)), enum_value(ThreadStatus::Running));
    a_.mov(byte_field(r10, offsetof(Thread, outcome)), enum_value(RunOutcome::Yielded));
    a_.mov(vm_field(offsetof(Vm, current)), r10);
    a_.mov(thread_field(offsetof(Thread, base)), r11);
    a_.sub(rcx, r9);
    a_.mov(eax, ecx);
    a_.shr(eax, kSlotShift);
    a_.mov(short_field(r10, offsetof(Thread, transfer_count)), eax);
    a_.add(r11, r9);
    a_.mov(thread_field(offsetof(Thread, top)), r11);
    a_.test(rcx, rcx);
    a_.jz(copied);
    a_.bind(again);
    copy_slot(rdi, r11);
    a_.sub(rcx, kSlotBytes);
    a_.jnz(again);
    a_.mov(field(r10, offsetof(Thread, top)), rdi);
    a_.bind(copied);
    a_.lea(rax, field(r10, offsetof(Thread, resumer_context)));
    a_.mov(rcx, field(r10, offsetof(Thread, context)));
    emit_switch(resumed_);
  }

  void emit_yield() {
    a_.cmp(short_field(kThread, offsetof(Thread, non_yieldable)), 0);  // the main thread's is not
    a_.jne(slow_);
    a_.mov(short_field(kThread, offsetof(Thread, transfer_count)), ecx);
    a_.shl(ecx, kSlotShift);
    a_.mov(thread_field(offsetof(Thread, base)), r11);
    a_.add(r11, rcx);
    a_.mov(thread_field(offsetof(Thread, top)), r11);
    a_.mov(r10, thread_field(offsetof(Thread, resumer)));
    a_.mov(eax, short_field(r10, offsetof(Thread, native_depth)));
    a_.sub(short_field(kThread, offsetof(Thread, native_depth)), eax);
    a_.lea(rax, thread_field(offsetof(Thread, context)));
    a_.mov(rcx, thread_field(offsetof(Thread, resumer_context)));
    emit_switch(yielded_);
  }

  /// Back in a suspended frame: its thread, and in r10 the coroutine it has resumed.
  void emit_arrival() {
    a_.pop(kThread);
    a_.pop(r10);
    a_.mov(kVm, thread_field(offsetof(Thread, vm)));
    a_.mov(rax, vm_field(offsetof(Vm, native_tier)));
    a_.cmp(byte_field(kThread, offsetof(Thread, hook_mask)), 0);
    a_.jne(finish_slowly_);
    a_.cmp(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
    a_.jg(finish_slowly_);
    a_.cmp(short_field(rax, offsetof(Tier, leave_period)), 0);
    a_.jne(finish_slowly_);
    a_.mov(r11, qword_ptr(rsp, kFunction));
    a_.mov(r8, qword_ptr(rsp, kWanted));
  }

  /// The coroutine has handed over.
  void emit_resumed() {
    a_.bind(resumed_);
    emit_arrival();
    a_.cmp(byte_field(r10, offsetof(Thread, outcome)), enum_value(RunOutcome::Yielded));
    a_.jne(finish_slowly_);
    a_.cmp(byte_field(r10, offsetof(Thread, stack_is_free)), 0);
    a_.jne(finish_slowly_);
    a_.mov(ecx, short_field(r10, offsetof(Thread, transfer_count)));
    a_.shl(rcx, kSlotShift);
    a_.lea(rax, ptr(r11, rcx, 0, (kCallOverheadSlots + 1) * kSlotBytes));
    a_.cmp(rax, thread_field(offsetof(Thread, stack_soft_limit)));
    a_.ja(finish_slowly_);
    a_.mov(vm_field(offsetof(Vm, current)), kThread);
    a_.mov(byte_field(kThread, offsetof(Thread, status)), enum_value(ThreadStatus::Running));
    a_.mov(byte_field(r10, offsetof(Thread, status)), enum_value(ThreadStatus::Suspended));
    a_.mov(field(r10, offsetof(Thread, resumer)), 0);
    a_.mov(rdx, field(r10, offsetof(Thread, top)));
    a_.mov(rdi, rdx);
    a_.sub(rdi, rcx);
    a_.mov(field(r10, offsetof(Thread, top)), rdi);
    a_.mov(rax, qword_ptr(r11));
    a_.cmp(byte_field(rax, offsetof(NativeFunction, type_byte)), enum_value(NativeId::Resume));
    a_.jne(deliver_);
    a_.mov(qword_ptr(r11), 1);
    a_.mov(qword_ptr(r11, kTagOffset), enum_value(Tag::True));
    a_.add(r11, kSlotBytes);
    a_.cmp(r8d, kWantedResultsMask);
    a_.je(deliver_);
    a_.dec(r8);
    a_.jmp(deliver_);
  }

  /// Somebody has resumed this coroutine.
  void emit_yielded() {
    a_.bind(yielded_);
    emit_arrival();
    a_.cmp(byte_field(kThread, offsetof(Thread, being_closed)), 0);
    a_.jne(finish_slowly_);
    a_.mov(ecx, short_field(kThread, offsetof(Thread, transfer_count)));
    a_.shl(rcx, kSlotShift);
    a_.mov(rdx, thread_field(offsetof(Thread, top)));
    a_.mov(rdi, rdx);
    a_.sub(rdi, rcx);
  }

  /// The values from rdi to rdx are the results: to r11, adjusted to r8d, and on at the site.
  void emit_deliver() {
    const Label all = a_.newLabel(), copy = a_.newLabel(), fill = a_.newLabel(), done = a_.newLabel();
    a_.bind(deliver_);
    a_.cmp(r8d, kWantedResultsMask);
    a_.je(all);
    a_.shl(r8, kSlotShift);
    a_.add(r8, r11);
    a_.bind(copy);  // r8: the end of the destination, which may lie before its start
    a_.cmp(r11, r8);
    a_.jae(done);
    a_.cmp(rdi, rdx);
    a_.jae(fill);
    a_.mov(rax, qword_ptr(rdi));
    a_.mov(rcx, qword_ptr(rdi, kTagOffset));
    a_.mov(qword_ptr(r11), rax);
    a_.mov(qword_ptr(r11, kTagOffset), rcx);
    a_.add(rdi, kSlotBytes);
    a_.add(r11, kSlotBytes);
    a_.jmp(copy);
    a_.bind(fill);
    a_.mov(qword_ptr(r11), 0);
    a_.mov(qword_ptr(r11, kTagOffset), enum_value(Tag::Nil));
    a_.add(r11, kSlotBytes);
    a_.cmp(r11, r8);
    a_.jb(fill);
    a_.bind(done);
    a_.mov(kBase, qword_ptr(rsp, kSavedBytes));
    a_.xor_(eax, eax);
    emit_back_to_site();
    a_.bind(all);
    a_.lea(r8, ptr(r11, rdx));
    a_.sub(r8, rdi);
    a_.mov(thread_field(offsetof(Thread, top)), r8);
    a_.jmp(copy);
  }

  void emit_back_to_site() {
    a_.add(rsp, kSavedBytes - 8);
    a_.pop(rcx);
    a_.jmp(rcx);
  }

  /// Calls runtime_call(thread, base, pc), whose outcome the site gets. On the stack is what the site passed.
  void emit_last_call(RuntimeCall runtime_call) {
    a_.mov(kVm, thread_field(offsetof(Thread, vm)));
    a_.mov(kBase, qword_ptr(rsp, kSavedBytes));
    a_.mov(rdi, kThread);
    a_.mov(rsi, kBase);
    a_.mov(rdx, qword_ptr(rsp, kSavedPc));
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(runtime_call)));
    emit_back_to_site();
  }

  void emit_slow() {
    const Label no_switch = a_.newLabel(), arrived = a_.newLabel();
    frame_size_(kFrameBytes + kSavedBytes);
    a_.bind(slow_);
    a_.mov(rdi, kThread);
    a_.mov(rsi, kBase);
    a_.mov(rdx, qword_ptr(rsp, kSavedPc));
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(&runtime_start_switch)));
    a_.test(rax, rax);
    a_.jz(no_switch);
    a_.mov(rcx, rax);
    a_.mov(rax, rdx);
    emit_switch(arrived);
    a_.bind(no_switch);
    emit_last_call(runtime_call_without_switch);
    a_.bind(arrived);
    a_.pop(kThread);
    a_.pop(r10);
    a_.bind(finish_slowly_);
    emit_last_call(runtime_finish_switch);
  }

  Assembler& a_;
  const std::function<void(uint32_t bytes)>& frame_size_;
  Label slow_ = a_.newLabel(), finish_slowly_ = a_.newLabel(), deliver_ = a_.newLabel();
  Label resumed_ = a_.newLabel(), yielded_ = a_.newLabel();

  /// *to++ = *from++. Clobbers rax, rdx.
  void copy_slot(const Gp& to, const Gp& from) {
    a_.mov(rax, qword_ptr(from));
    a_.mov(rdx, qword_ptr(from, kTagOffset));
    a_.mov(qword_ptr(to), rax);
    a_.mov(qword_ptr(to, kTagOffset), rdx);
    a_.add(from, kSlotBytes);
    a_.add(to, kSlotBytes);
  }
};

}  // namespace

void emit_switch_coroutine(Assembler& a, const std::function<void(uint32_t bytes)>& frame_size) {
  Stub(a, frame_size).emit();
}

}  // namespace mangata::jit
