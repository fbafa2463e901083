#include "vm/interpreter/path_clock.h"

#include "vm/object/thread.h"

namespace mangata {
namespace {

/// No fences around it: they would make each path wait for the last one, which costs more than it tells.
uint64_t read_cycles() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

}  // namespace

bool PathClock::exists() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

PathClock::PathClock() : PathClock(read_cycles) {}

PathClock::PathClock(Read read) : read_(read), began_(read()), current_(&stacks_[nullptr]) {}

void PathClock::stop() {
  const uint64_t now = read_();
  if (!current_->empty()) {
    current_->back().cycles += static_cast<int64_t>(now - began_) - cycles_per_reading_;
    ++readings_;
  }
  began_ = now;
}

void PathClock::start() {
  const uint64_t now = read_();
  stopped_cycles_ += now - began_;
  began_ = now;
}

void PathClock::push(const FrameHeader* frame) {
  while (!current_->empty() && current_->back().frame >= frame) current_->pop_back();
  current_->push_back({frame, 0});
}

int64_t PathClock::take(const FrameHeader* frame) {
  while (!current_->empty() && current_->back().frame > frame) current_->pop_back();
  if (current_->empty() || current_->back().frame != frame) current_->push_back({frame, 0});
  const int64_t cycles = current_->back().cycles;
  current_->back().cycles = 0;
  return cycles;
}

void PathClock::change_thread(const Thread& thread, bool is_new) {
  const Stop stop(this);
  current_ = &stacks_[thread.stack];
  if (is_new) current_->clear();
}

}  // namespace mangata
