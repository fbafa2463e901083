// VM stacks; see thread_stack.h.
#include "vm/object/thread_stack.h"

#include <algorithm>

#include "vm/interpreter/coroutine.h"
#include "vm/object/thread.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// Clearing more than this costs more than letting the system forget the pages.
constexpr size_t kForgetBytes = 256 * 1024;
constexpr uint32_t kInitialSlots = 64;
/// What a stack counts in the heap to begin with.
constexpr ptrdiff_t kStackAccount = StackPair::kPageBytes;

}  // namespace

void change_soft_limit(Vm& vm, Thread& thread, Value* limit) {
  const ptrdiff_t slots =
      std::min(limit, thread.stack_end) - std::min(thread.stack_soft_limit, thread.stack_end);
  vm.heap.account(slots * static_cast<ptrdiff_t>(sizeof(Value)));
  thread.set_soft_limit(limit);
}

namespace {

/// The slots that are not values: a header of each frame, and where one was before a vararg frame moved up.
size_t header_slots(const Thread& thread) {
  size_t count = 0;
  for (const Value* base = thread.base; base > thread.stack + kCallOverheadSlots;
       base -= frame_of(base)->caller_delta_slots)
    count += frame_of(base)->extra_args > 0 ? 2 : 1;
  return count * kFrameHeaderSlots;
}

/// How many slots a stack with this part of headers may have in all: 0 when `slots` are too many of them
/// already. Frames that follow are taken to be like those there are, so that frames are counted only a few
/// times.
size_t limit_with_headers(size_t slots, size_t header_slots) {
  const size_t values = slots - header_slots;
  if (values > Thread::kMaxValueSlots) return 0;
  const double share = static_cast<double>(Thread::kMaxValueSlots) / static_cast<double>(values);
  return static_cast<size_t>(static_cast<double>(slots) * share);
}

}  // namespace

bool grow_stack(Vm& vm, Thread& thread, size_t slots) {
  const auto current = static_cast<size_t>(thread.stack_soft_limit - thread.stack);
  const size_t error_slots = thread.handling_overflow ? Thread::kErrorStackSlots : 0;
  const size_t end = static_cast<size_t>(thread.stack_end - thread.stack) + error_slots;
  if (slots > end) return false;
  size_t most = std::min<size_t>(end, Thread::kMaxValueSlots);
  const bool counts_frames = slots > most;
  if (counts_frames) {
    const size_t needed = std::max<size_t>(slots - error_slots, Thread::kMaxValueSlots);
    most = std::min(end, limit_with_headers(needed, header_slots(thread)) + error_slots);
    if (slots > most) return false;
  }
  const size_t grown = std::min(error_slots != 0 ? slots + 64 : std::max(2 * current, slots + 64), most);
  // What Lua 5.4 does not keep on its stacks is not worth running out of memory.
  const bool is_reserve =
      thread.handling_overflow && thread.stack + slots <= thread.limit_before_overflow + error_slots;
  if (counts_frames && !is_reserve &&
      !vm.heap.may_hold(vm.heap.total_bytes() + (grown - current) * sizeof(Value)))
    return false;
  change_soft_limit(vm, thread, thread.stack + grown);
  return true;
}

void end_overflow(Vm& vm, Thread& thread) {
  thread.handling_overflow = false;
  // Far below, no frame that is left can have been given more than kMaxValueSlots.
  Value* usual = thread.stack + Thread::kMaxValueSlots;
  const bool is_deep = thread.top > thread.stack + Thread::kMaxValueSlots / 2;
  Value* limit = is_deep ? thread.limit_before_overflow : std::min(thread.limit_before_overflow, usual);
  if (limit >= thread.stack_soft_limit) return;
  char* end = reinterpret_cast<char*>(thread.stack_soft_limit + Thread::kLeafSlots);
  clear_range(reinterpret_cast<char*>(limit), end, kForgetBytes);
  change_soft_limit(vm, thread, limit);
}

namespace {

/// On slots of which the lowest three are nil: the bottom frame.
void put_on_stack(Thread& thread, Value* stack, Value* soft_limit, Value* end) {
  thread.stack = stack;
  thread.stack_end = end;
  thread.native_bound = stack + slots_without_native_check(kUncheckedNativeBytes);
  thread.set_soft_limit(soft_limit);
  thread.base = stack + kCallOverheadSlots;
  thread.top = thread.base;
  FrameHeader* frame = thread.frame();
  frame->tag_low_1 = static_cast<uint32_t>(Tag::Frame);
  frame->tag_low_2 = static_cast<uint32_t>(Tag::Frame);
  frame->flags = FrameHeader::kBottom | FrameHeader::kNative;
}

}  // namespace

bool acquire_thread_stack(Vm& vm, Thread& thread) {
  StackPair* stacks = vm.stacks.take();
  if (stacks == nullptr) return false;
  thread.stacks = stacks;
  put_on_stack(thread, stacks->bottom, stacks->bottom + kInitialSlots,
               stacks->bottom + std::min(vm.max_stack_slots, stacks->slots));
  vm.heap.account(kStackAccount);
  return true;
}

void release_thread_stack(Vm& vm, Thread& thread) {
  if (thread.stacks == nullptr) return;
  vm.heap.account(-static_cast<ptrdiff_t>(stack_account_bytes(thread)));
  vm.stacks.give_back(thread.stacks, std::max(thread.stack_soft_limit, thread.top) + Thread::kLeafSlots);
  thread.native_stack = nullptr;
  thread.stacks = nullptr;
}

void retire_stack(Vm& vm, Thread& thread) {
  const bool is_needed = thread.status != ThreadStatus::Dead ||
                         thread.top > thread.stack + kCallOverheadSlots || thread.host_sees ||
                         thread.open_upvalues != nullptr || !thread.to_be_closed.empty();
  if (is_needed || thread.stacks == nullptr) [[unlikely]]
    return;
  release_thread_stack(vm, thread);
  Value* bottom = vm.retired_stack;
  put_on_stack(thread, bottom, bottom + kCallOverheadSlots, bottom + kCallOverheadSlots);
}

bool show_to_host(Vm& vm, Thread& thread) {
  if (thread.stacks == nullptr && !acquire_thread_stack(vm, thread)) return false;
  thread.host_sees = true;
  return true;
}

size_t stack_account_bytes(const Thread& thread) {
  if (thread.stacks == nullptr) return 0;
  const ptrdiff_t more_slots =
      std::min(thread.stack_soft_limit, thread.stack_end) - (thread.stack + kInitialSlots);
  const ptrdiff_t native_bytes = thread.native_stack != nullptr ? kNativeStackAccount : 0;
  return static_cast<size_t>(kStackAccount + more_slots * static_cast<ptrdiff_t>(sizeof(Value)) +
                             native_bytes);
}

void clear_stack_above_top(Thread& thread) {
  if (thread.stacks == nullptr) return;
  clear_range(reinterpret_cast<char*>(thread.top),
              reinterpret_cast<char*>(thread.stack_soft_limit + Thread::kLeafSlots), kForgetBytes);
}

}  // namespace mangata
