// The one thread that compiles regions, for all machines of the process.
//
// [DESIGN] LLVM takes milliseconds where baseline code takes microseconds, so it works beside the program. A
// job owns all that it reads, and its result waits in the channel of the machine that has asked, until that
// looks. Jobs are done in order; those of machines that are gone are dropped, or a host whose states live for a
// request each would leave the thread more and more to do that nobody waits for.
//
// [DESIGN] Exceptions end here, on both threads: a job for which something could not be had (memory, a thread) is abandoned, its result
// says so, and the function stays in its tier. Room for the result is made with the job, on the program's thread. What was thrown may
// have passed through LLVM, so its session is given up, too, for another one.
//
// The process may exit while a job is being done: the thread, this object and LLVM live as long as the process, and nothing
// of them is ever destroyed (jit/optimizer/never_destroyed.cpp).
//
// Read next: optimizer.h, region_builder.h.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>

#include "jit/region/optimizer.h"

namespace mangata::jit {

/// A compilation that has ended.
struct FinishedRegion {
  uint64_t ticket = 0;  ///< as submit() gave it
  std::unique_ptr<RegionCode> code;
  std::unique_ptr<RegionInput> input = nullptr;  ///< of an interim form: what the full one is made from
};

/// To one machine. Any thread.
class RegionChannel {
 public:
  /// Cheap; true when take() has something.
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::list<FinishedRegion> take();
  /// One. False: it is closed, and `finished` is left to the caller. Needs no memory.
  bool put(std::list<FinishedRegion>&& finished);
  /// Until the result of that job is there, which nobody has taken.
  void wait(uint64_t ticket);
  /// The machine goes. Nothing is put any more, and jobs that are still to be done are not; what nobody has taken is returned.
  std::list<FinishedRegion> close();
  bool is_closed();

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::list<FinishedRegion> finished_;
  bool is_closed_ = false;
};

class CompileThread {
 public:
  /// The one of the process.
  static CompileThread& instance();

  /// Returns a ticket, by which the result is known; there will be one. Throws std::bad_alloc: then there will be none.
  uint64_t compile(std::unique_ptr<RegionInput> input, std::shared_ptr<RegionChannel> to);
  /// The module is there, or has been looked for in vain. Any thread.
  bool is_loaded() const { return is_loaded_.load(std::memory_order_relaxed); }
  /// Nobody waits for that job: it is not done unless it is under way. What comes of it is still put.
  void forget(uint64_t ticket);
  /// Frees code that nothing runs any more. Without memory for the job it stays.
  void release(RegionCode::Entry entry);

 private:
  struct Job {
    uint64_t ticket = 0;
    std::unique_ptr<RegionInput> input;  ///< null: release `entry`
    RegionCode::Entry entry = nullptr;
    std::shared_ptr<RegionChannel> to;
    std::list<FinishedRegion> result;  ///< one
  };

  CompileThread();
  void run();
  bool start();
  void work(Job job);
  void compile(const RegionInput& input, RegionCode* code);
  void free(RegionCode::Entry entry);
  void give_up_optimizer();
  void submit(Job job);

  std::mutex mutex_;
  std::condition_variable submitted_;
  std::deque<Job> jobs_;
  bool is_started_ = false;
  std::atomic<bool> is_loaded_{false};
  uint64_t tickets_ = 0;
  std::unique_ptr<Optimizer> optimizer_;  ///< of the thread alone
  std::string problem_;                   ///< why there is none
  int given_up_ = 0;                      ///< optimizers in a row
};

}  // namespace mangata::jit
