// VM stacks; see thread_stack.h.
#include "vm/object/thread_stack.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "vm/heap/mapping_pool.h"
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

static_assert((Thread::kMaxStackSlots + Thread::kErrorStackSlots + 1024) * sizeof(Value) <=
              ThreadStackPool::kReservedBytes);

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
    size_t count = kStacksPerMapping;
    void* address = clear_mappings.take();
    if (address == nullptr) address = map_stacks(count * kReservedBytes);
    if (address == nullptr) {  // little address space: one at a time
      count = 1;
      address = map_stacks(kReservedBytes);
      if (address == nullptr) return nullptr;
    }
    mappings_.push_back({address, count * kReservedBytes});
    for (size_t i = count; i-- > 0;) {
      cold_.push_back(reinterpret_cast<Value*>(static_cast<char*>(address) + i * kReservedBytes));
    }
  }
  Value* stack = cold_.back();
  cold_.pop_back();
  return stack;
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

bool acquire_thread_stack(Vm& vm, Thread& thread) {
  Value* stack = vm.thread_stacks.take();
  if (stack == nullptr) return false;
  thread.stack = stack;
  thread.stack_end = stack + vm.max_stack_slots;
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

void clear_stack_above_top(Thread& thread) {
  clear_range(reinterpret_cast<char*>(thread.top),
              reinterpret_cast<char*>(thread.stack_soft_limit + Thread::kLeafSlots), kForgetBytes);
}

}  // namespace mangata
