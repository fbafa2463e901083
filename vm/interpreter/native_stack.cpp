#include "vm/interpreter/native_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "vm/object/thread.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace mangata {
namespace {

/// Of the 65530 mappings that the kernel lets a process have by default, these guards take a quarter: two each.
constexpr int kMostSplitGuards = 8192;
std::atomic<int> split_guards{0};

/// Makes the guard of a stack that was never taken. Those that split the mapping are counted.
void put_up_guard(NativeStack& stack, size_t* split_count) {
  constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL, younger than Debian 12's headers
  char* const guard = stack.low - NativeStack::kGuardBytes;
  if (madvise(guard, NativeStack::kGuardBytes, kGuardInstall) == 0) {
    stack.has_guard = true;
    return;
  }
  if (split_guards.fetch_add(1, std::memory_order_relaxed) < kMostSplitGuards &&
      mprotect(guard, NativeStack::kGuardBytes, PROT_NONE) == 0) {
    stack.has_guard = true;
    ++*split_count;
  } else {
    split_guards.fetch_sub(1, std::memory_order_relaxed);
  }
}

/// AddressSanitizer remembers the bounds of variables in frames that were never returned from: those of coroutines that were dropped.
void forget_frames([[maybe_unused]] const NativeStack& stack) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack.low, NativeStack::kBytes);
#endif
}

struct NativeStackRange {
  char* low = nullptr;
  char* high = nullptr;
};

NativeStackRange stack_of_this_thread() {
  NativeStackRange range;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return range;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    range.low = static_cast<char*>(low);
    range.high = range.low + bytes;
  }
  pthread_attr_destroy(&attributes);
  return range;
}

/// The lowest address that native code of this thread may reach, as Thread::native_limit.
char* native_limit_here() {
  // On a stack that is not the thread's own (fibers of the host), this much is taken to be left.
  constexpr size_t kAssumedBytes = kNativeReserveBytes + 128 * 1024;
  // The process's main stack may be unlimited.
  constexpr size_t kUsableBytes = size_t{64} << 20;
  thread_local const NativeStackRange range = stack_of_this_thread();
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (here < range.low || here >= range.high) return here - kAssumedBytes + kNativeReserveBytes;
  char* low = std::max(range.low, range.high - std::min<size_t>(kUsableBytes, static_cast<size_t>(range.high - range.low)));
  return std::min(low, here) + kNativeReserveBytes;
}

}  // namespace

__thread uint32_t native_thread_number = 0;

void adopt_callers_stack(Thread& thread, bool is_outermost) {
  static std::atomic<uint32_t> last_number{0};
  if (native_thread_number == 0) native_thread_number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
  thread.native_limit = native_limit_here();
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (is_outermost) thread.region_limit = std::max(here - kOptimizedBytes, thread.native_limit);
  const size_t available = here > thread.native_limit ? static_cast<size_t>(here - thread.native_limit) : 0;
  thread.set_native_bound(static_cast<size_t>(thread.top - thread.stack) + slots_without_native_check(available));
}

char* lowest_native_address() {
  constexpr size_t kAssumedBytes = size_t{8} << 20;
  constexpr size_t kUsableBytes = size_t{64} << 20;  // more than Lua's own limit of nested calls can need
  constexpr size_t kAboveBytes = 64 * 1024;          // environment, arguments and the frames of our callers
  rlimit limit{};
  size_t bytes = kAssumedBytes;
  if (getrlimit(RLIMIT_STACK, &limit) == 0) bytes = std::min<size_t>(limit.rlim_cur, kUsableBytes);
  bytes = std::max(bytes, 2 * (kNativeLeafBytes + kAboveBytes));
  return static_cast<char*>(__builtin_frame_address(0)) - bytes + kAboveBytes + kNativeReserveBytes;
}

bool NativeStackPool::map(size_t count) {
  void* memory = mmap(nullptr, kStrideBytes * count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  Mapping& mapping = mappings_.emplace_back();
  mapping.stacks = std::make_unique<NativeStack[]>(count);
  mapping.count = count;
  for (size_t i = count; i-- > 0;) {
    mapping.stacks[i].low = static_cast<char*>(memory) + i * kStrideBytes + NativeStack::kGuardBytes;
    free_.push_back(&mapping.stacks[i]);
  }
  return true;
}

NativeStack* NativeStackPool::take() {
  if (free_.empty() && !map(kStacksPerMapping) && !map(1)) return nullptr;
  NativeStack* stack = free_.back();
  free_.pop_back();
  cold_count_ = std::min(cold_count_, free_.size());
  forget_frames(*stack);
  if (!stack->was_taken) [[unlikely]] {
    stack->was_taken = true;
    put_up_guard(*stack, &split_guard_count_);
  }
  return stack;
}

void NativeStackPool::trim(size_t warm_count) {
  for (; cold_count_ + warm_count < free_.size(); ++cold_count_) {
    const NativeStack& stack = *free_[cold_count_];
    if (stack.was_taken) madvise(stack.low, NativeStack::kBytes, MADV_DONTNEED);
  }
}

NativeStackPool::~NativeStackPool() {
  for (const Mapping& mapping : mappings_) {
    for (size_t i = 0; i < mapping.count; ++i) forget_frames(mapping.stacks[i]);  // other things will be mapped there
    munmap(mapping.low(), kStrideBytes * mapping.count);
  }
  split_guards.fetch_sub(static_cast<int>(split_guard_count_), std::memory_order_relaxed);
}

}  // namespace mangata
