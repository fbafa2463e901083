#include "vm/interpreter/native_stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "vm/object/thread.h"

namespace mangata {
namespace {

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
  char* low = std::max(
      range.low, range.high - std::min<size_t>(kUsableBytes, static_cast<size_t>(range.high - range.low)));
  return std::min(low, here) + kNativeReserveBytes;
}

}  // namespace

__thread uint32_t native_thread_number = 0;

void adopt_callers_stack(Thread& thread, bool is_outermost) {
  static std::atomic<uint32_t> last_number{0};
  if (native_thread_number == 0)
    native_thread_number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
  thread.native_limit = native_limit_here();
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (is_outermost) thread.region_limit = std::max(here - kOptimizedBytes, thread.native_limit);
  const size_t available = here > thread.native_limit ? static_cast<size_t>(here - thread.native_limit) : 0;
  thread.set_native_bound(static_cast<size_t>(thread.top - thread.stack) +
                          slots_without_native_check(available));
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

}  // namespace mangata
