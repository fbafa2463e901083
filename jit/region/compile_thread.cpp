#include "jit/region/compile_thread.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <thread>

namespace mangata::jit {

std::vector<FinishedRegion> RegionChannel::take() {
  const std::lock_guard lock(mutex_);
  any_.store(false, std::memory_order_relaxed);
  return std::move(finished_);
}

bool RegionChannel::put(FinishedRegion&& finished) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  finished_.push_back(std::move(finished));
  any_.store(true, std::memory_order_release);
  arrived_.notify_all();
  return true;
}

std::vector<FinishedRegion> RegionChannel::close() {
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
    return std::any_of(finished_.begin(), finished_.end(), [&](const FinishedRegion& its) { return its.ticket == ticket; });
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
  submit(std::move(job));
  return ticket;
}

void CompileThread::release(RegionCode::Entry entry) {
  Job job;
  job.entry = entry;
  submit(std::move(job));
}

void CompileThread::submit(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  submitted_.notify_one();
  if (is_started_) return;
  is_started_ = true;
  // Signals are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
  if (job.input == nullptr) {
    if (optimizer_ != nullptr) optimizer_->release(job.entry);
    return;
  }
  if (job.to->is_closed()) return;
  if (optimizer_ == nullptr && problem_.empty()) optimizer_ = load_optimizer(&problem_);
  auto code = std::make_unique<RegionCode>();
  if (optimizer_ == nullptr) {
    code->error = std::string(kNoOptimizer) + problem_;
  } else {
    *code = optimizer_->compile(*job.input);
  }
  FinishedRegion finished{job.ticket, std::move(code)};
  if (!job.to->put(std::move(finished)) && finished.code->entry != nullptr) optimizer_->release(finished.code->entry);
}

}  // namespace mangata::jit
