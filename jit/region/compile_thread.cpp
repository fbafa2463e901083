#include "jit/region/compile_thread.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "jit/region/region_budget.h"
#include "jit/region/why_not.h"

namespace mangata::jit {

std::list<FinishedRegion> RegionChannel::take() {
  const std::lock_guard lock(mutex_);
  any_.store(false, std::memory_order_relaxed);
  return std::move(finished_);
}

bool RegionChannel::put(std::list<FinishedRegion>&& finished) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  finished_.splice(finished_.end(), finished);
  any_.store(true, std::memory_order_release);
  arrived_.notify_all();
  return true;
}

std::list<FinishedRegion> RegionChannel::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  return std::move(finished_);
}

bool RegionChannel::is_closed() {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

void RegionChannel::wait(uint64_t ticket) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] {
    return std::any_of(finished_.begin(), finished_.end(), [&](const FinishedRegion& region) { return region.ticket == ticket; });
  });
}

CompileThread& CompileThread::instance() {
  static auto* thread = new CompileThread;  // see [DESIGN]
  return *thread;
}

CompileThread::CompileThread() = default;

uint64_t CompileThread::compile(std::unique_ptr<RegionInput> input, std::shared_ptr<RegionChannel> to) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    job.ticket = ++tickets_;
  }
  const uint64_t ticket = job.ticket;
  job.input = std::move(input);
  job.to = std::move(to);
  job.result.push_back({ticket, std::make_unique<RegionCode>()});
  submit(std::move(job));
  return ticket;
}

void CompileThread::forget(uint64_t ticket) {
  std::unique_ptr<RegionInput> unused;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.ticket == ticket; });
  if (found == jobs_.end()) return;
  unused = std::move(found->input);
  jobs_.erase(found);
}

void CompileThread::release(RegionCode::Entry entry) {
  Job job;
  job.entry = entry;
  try {
    submit(std::move(job));
  } catch (const std::bad_alloc&) {
    return;
  }
}

void CompileThread::submit(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  submitted_.notify_one();
  if (!is_started_) is_started_ = start();
  Job& queued = jobs_.back();
  if (is_started_ || queued.input == nullptr) return;  // what is to be released may wait for the next compilation
  queued.result.front().code->error = why_no_region(WhyNot::NoThread);
  queued.to->put(std::move(queued.result));
  jobs_.pop_back();
}

/// False: the system gives no thread now.
bool CompileThread::start() {
  // Signals are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool starts = true;
  try {
    std::thread([this] { run(); }).detach();
  } catch (const std::exception&) {
    starts = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return starts;
}

void CompileThread::run() {
  pthread_setname_np(pthread_self(), "mangata-orc");
  std::unique_lock lock(mutex_);
  while (true) {
    submitted_.wait(lock, [this] { return !jobs_.empty(); });
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    work(std::move(job));
    lock.lock();
  }
}

void CompileThread::work(Job job) {
  if (job.input == nullptr) return free(job.entry);
  if (job.to->is_closed()) return;
  RegionCode* code = job.result.front().code.get();
  try {
    compile(*job.input, code);
  } catch (const std::bad_alloc&) {
    give_up_optimizer();
    code->entry = nullptr;
    code->error = why_no_region(WhyNot::NoMemory);
  } catch (const std::exception&) {
    give_up_optimizer();
    code->entry = nullptr;
    code->error = why_no_region(WhyNot::CompilerFailed);
  }
  const RegionCode::Entry entry = code->entry;
  if (entry != nullptr && code->full_instructions != 0) job.result.front().input = std::move(job.input);
  if (!job.to->put(std::move(job.result)) && entry != nullptr) free(entry);
}

void CompileThread::compile(const RegionInput& input, RegionCode* code) {
  const double start = thread_nanoseconds();
  if (optimizer_ == nullptr && problem_.empty()) optimizer_ = load_optimizer(&problem_);
  is_loaded_.store(true, std::memory_order_relaxed);
  if (optimizer_ == nullptr) {
    code->error = why_no_region(WhyNot::NoOptimizer, {problem_});
  } else {
    *code = optimizer_->compile(input);
    given_up_ = 0;
  }
  code->processor_milliseconds = (thread_nanoseconds() - start) / 1e6;
}

void CompileThread::free(RegionCode::Entry entry) {
  if (optimizer_ == nullptr) return;
  try {
    optimizer_->release(entry);
  } catch (const std::exception&) {
    give_up_optimizer();
  }
}

/// Its code goes on, and is never freed. After some in a row there is none any more.
void CompileThread::give_up_optimizer() {
  constexpr int kMost = 8;
  (void)optimizer_.release();
  if (++given_up_ == kMost) problem_ = "it has failed";
}

}  // namespace mangata::jit
