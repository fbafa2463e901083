// Lets one allocation fail: malloc and its relatives of the whole test program, operator new and libraries included.
//
// [DESIGN] The functions are defined here, in place of those of the C library, so exactly one file of a test
// program includes it. Sanitizers have their own; there tests that need this are skipped.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define MANGATA_HAS_FAILING_MALLOC 1
#endif

namespace mangata {

class FailingMalloc {
 public:
  enum class On : uint8_t {
    Nobody,
    ThisThread,
    OtherThreads
  };

  /// The allocation number `which`, from 0 on, of those threads fails from now on; and all others behind it if there is `no_more`.
  static void arm(On threads, int64_t which, bool no_more = false) {
    thread_ = pthread_self();
    left_ = which;
    no_more_ = no_more;
    threads_ = threads;
  }
  /// Whether it has come to that.
  static bool disarm() {
    threads_ = On::Nobody;
    return left_ < 0;
  }
  /// Goes on where disarm() has stopped.
  static void resume(On threads) { threads_ = threads; }

  static bool fails() {
    const On threads = threads_.load(std::memory_order_relaxed);
    if (threads == On::Nobody || (pthread_equal(pthread_self(), thread_) != 0) != (threads == On::ThisThread)) return false;
    const int64_t left = left_.fetch_sub(1);
    return left == 0 || (left < 0 && no_more_);
  }

 private:
  static inline pthread_t thread_{};
  static inline std::atomic<On> threads_{On::Nobody};
  static inline std::atomic<int64_t> left_{0};
  static inline bool no_more_ = false;
};

}  // namespace mangata

#if defined(MANGATA_HAS_FAILING_MALLOC)
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);

void* malloc(size_t bytes) {
  if (!mangata::FailingMalloc::fails()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(size_t count, size_t bytes) {
  if (!mangata::FailingMalloc::fails()) return __libc_calloc(count, bytes);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* old, size_t bytes) {
  if (!mangata::FailingMalloc::fails()) return __libc_realloc(old, bytes);
  errno = ENOMEM;
  return nullptr;
}
}
#endif
