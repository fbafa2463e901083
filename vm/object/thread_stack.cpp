// VM stacks; see thread_stack.h.
#include "vm/object/thread_stack.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "vm/heap/mapping_pool.h"
#include "vm/interpreter/coroutine.h"
#include "vm/object/thread.h"
#include "vm/vm.h"

namespace mangata {
namespace {

constexpr size_t kPageBytes = 4096;
/// Clearing more than this costs more than letting the system forget the pages.
constexpr size_t kForgetBytes = 256 * 1024;
constexpr uint32_t kInitialSlots = 64;

/// Mappings of stacks that are all nil.
constinit MappingPool clear_mappings;

/// Of each stack, for errors and leaves.
constexpr size_t kSpareSlots = Thread::kErrorStackSlots + 1024;
static_assert((Thread::kMaxStackSlots + kSpareSlots) * sizeof(Value) <= ThreadStackPool::kReservedBytes);
static_assert((Thread::kMaxValueSlots + kSpareSlots) * sizeof(Value) <= ThreadStackPool::kSmallReservedBytes);

/// Makes a range zero, that is, nil. Whole pages above the first `keep_bytes` are given back when they are
/// many.
void clear_range(char* from, char* to, size_t keep_bytes) {
  if (from >= to) return;
  const auto keep_end = reinterpret_cast<uintptr_t>(from) + keep_bytes;
  char* forget_from = reinterpret_cast<char*>((keep_end + kPageBytes - 1) / kPageBytes * kPageBytes);
  if (forget_from < to) {
    char* forget_to =
        reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(to) + kPageBytes - 1) / kPageBytes * kPageBytes);
    madvise(forget_from, static_cast<size_t>(forget_to - forget_from), MADV_DONTNEED);
    to = forget_from;
  }
  std::memset(from, 0, static_cast<size_t>(to - from));
}

void* map_stacks(size_t bytes) {
  void* address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : address;
}

}  // namespace

ThreadStackPool::~ThreadStackPool() {
  // The first mapping goes to the next machine if all its stacks were given back, which are clear then.
  const bool is_clear = mappings_.size() == 1 && mappings_[0].bytes == kStacksPerMapping * kReservedBytes &&
                        warm_.size() + cold_.size() == kStacksPerMapping;
  if (is_clear && clear_mappings.give(static_cast<char*>(mappings_[0].address))) return;
  for (const Mapping& mapping : mappings_) munmap(mapping.address, mapping.bytes);
}

Value* ThreadStackPool::take() {
  if (!warm_.empty()) {
    Value* stack = warm_.back();
    warm_.pop_back();
    return stack;
  }
  if (cold_.empty()) {
    void* address = clear_mappings.take();
    if (address == nullptr) address = map_stacks(kStacksPerMapping * kReservedBytes);
    if (address == nullptr) return take_small();
    mappings_.push_back({address, kStacksPerMapping * kReservedBytes});
    for (size_t i = kStacksPerMapping; i-- > 0;) {
      cold_.push_back(reinterpret_cast<Value*>(static_cast<char*>(address) + i * kReservedBytes));
    }
  }
  Value* stack = cold_.back();
  cold_.pop_back();
  return stack;
}

Value* ThreadStackPool::take_small() {
  void* address = map_stacks(kSmallReservedBytes);
  if (address == nullptr) return nullptr;
  mappings_.push_back({address, kSmallReservedBytes});
  small_.push_back(static_cast<Value*>(address));
  return static_cast<Value*>(address);
}

uint32_t ThreadStackPool::slots_of(const Value* stack) const {
  const bool is_small = std::find(small_.begin(), small_.end(), stack) != small_.end();
  return is_small ? Thread::kMaxValueSlots : Thread::kMaxStackSlots;
}

void ThreadStackPool::give_back(Value* stack, Value* used_end) {
  char* from = reinterpret_cast<char*>(stack);
  const bool stays_warm = warm_.size() < max_warm_stacks_;
  clear_range(from, reinterpret_cast<char*>(used_end), stays_warm ? kWarmBytes : 0);
  (stays_warm ? warm_ : cold_).push_back(stack);
}

void change_soft_limit(Vm& vm, Thread& thread, Value* limit) {
  const ptrdiff_t slots = std::min(limit, thread.stack_end) - std::min(thread.stack_soft_limit, thread.stack_end);
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

bool acquire_thread_stack(Vm& vm, Thread& thread) {
  Value* stack = vm.thread_stacks.take();
  if (stack == nullptr) return false;
  thread.stack = stack;
  thread.stack_end = stack + std::min(vm.max_stack_slots, vm.thread_stacks.slots_of(stack));
  thread.native_bound = stack + slots_without_native_check(kUncheckedNativeBytes);
  thread.set_soft_limit(stack + kInitialSlots);
  thread.base = stack + kCallOverheadSlots;
  thread.top = thread.base;
  FrameHeader* frame = thread.frame();
  frame->tag_low_1 = static_cast<uint32_t>(Tag::Frame);
  frame->tag_low_2 = static_cast<uint32_t>(Tag::Frame);
  frame->flags = FrameHeader::kBottom | FrameHeader::kNative;
  vm.heap.account(kPageBytes);
  return true;
}

void release_thread_stack(Vm& vm, Thread& thread) {
  if (thread.stack == nullptr) return;
  vm.thread_stacks.give_back(thread.stack,
                             std::max(thread.stack_soft_limit, thread.top) + Thread::kLeafSlots);
  vm.heap.account((thread.stack + kInitialSlots - std::min(thread.stack_soft_limit, thread.stack_end)) *
                      static_cast<ptrdiff_t>(sizeof(Value)) -
                  static_cast<ptrdiff_t>(kPageBytes));
  thread.stack = nullptr;
}

size_t stack_account_bytes(const Thread& thread) {
  if (thread.stack == nullptr) return 0;
  const ptrdiff_t more_slots = std::min(thread.stack_soft_limit, thread.stack_end) - (thread.stack + kInitialSlots);
  const ptrdiff_t native_bytes = thread.native_stack != nullptr ? kNativeStackAccount : 0;
  return static_cast<size_t>(static_cast<ptrdiff_t>(kPageBytes) + more_slots * static_cast<ptrdiff_t>(sizeof(Value)) + native_bytes);
}

void clear_stack_above_top(Thread& thread) {
  clear_range(reinterpret_cast<char*>(thread.top),
              reinterpret_cast<char*>(thread.stack_soft_limit + Thread::kLeafSlots), kForgetBytes);
}

}  // namespace mangata
