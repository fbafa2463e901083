#include "runtime/sampling/time_sampler.h"

#include <algorithm>
#include <cstdio>

namespace mangata {
namespace {

// A signal handler can reach nothing but globals.
TimeSampler* g_sampler = nullptr;

/// How long the thread was ready, but another one had the processor; 0 where the system does not say.
uint64_t nanoseconds_queued() {
  std::FILE* file = std::fopen("/proc/thread-self/schedstat", "re");
  if (file == nullptr) return 0;
  unsigned long long running = 0, queued = 0;
  const bool is_read = std::fscanf(file, "%llu %llu", &running, &queued) == 2;
  std::fclose(file);
  return is_read ? queued : 0;
}

/// Of jit/driver/make_thunks.cpp and jit/x64/foreign_call.h.
bool is_way_in(const CodeDescription& code) {
  return code.bytecode == nullptr && (code.name == "enter" || code.name == "call_compiled" || code.name.starts_with("(call of C"));
}

uint64_t difference(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

TimeSampler::TimeSampler(Vm& vm) : vm_(vm), capture_(vm), resolver_(stacks_) {}

TimeSampler::~TimeSampler() { stop(); }

std::unique_ptr<CodeObserver> TimeSampler::observer() {
  return std::make_unique<CodeMapObserver>(
      resolver_.code(),
      [this](const CodeDescription& code) {
        if (code.is_region) return capture_.add_region(code.start, code.size_bytes);
        capture_.add_code(code.start, code.size_bytes);
        if (is_way_in(code)) capture_.add_border(code.start, code.size_bytes);
      },
      [this](const uint8_t* start) {
        resolve();
        capture_.remove_region(start);
      });
}

bool TimeSampler::start(uint32_t samples_per_second) {
  resolver_.names().read_libraries(vm_);
  prepare_native_walk();
  g_sampler = this;
  began_ = seen_ = thread_processor_time();
  wall_began_ = wall_time();
  queued_before_ = nanoseconds_queued();
  is_running_ = timer_.start(handle, samples_per_second == 0 ? kPeriodNanoseconds : 1000000000 / samples_per_second, samples_per_second != 0);
  return is_running_;
}

void TimeSampler::take_stock() {
  if (!is_running_) return;
  times_.thread_nanoseconds = thread_processor_time() - began_;
  times_.wall_nanoseconds = wall_time() - wall_began_;
  const uint64_t queued = difference(nanoseconds_queued(), queued_before_);
  times_.waiting_nanoseconds = difference(times_.wall_nanoseconds, times_.thread_nanoseconds + queued);
  resolve();
}

void TimeSampler::stop() {
  if (!is_running_) return;
  timer_.stop();
  take_stock();
  is_running_ = false;
  g_sampler = nullptr;
}

void TimeSampler::look() {
  if (!buffer_.is_filling()) [[likely]]
    return;
  resolver_.names().read_libraries(vm_);
  resolve();
}

void TimeSampler::proto_destroyed(const Proto& proto) {
  resolve();
  resolver_.proto_destroyed(proto);
}

void TimeSampler::resolve() {
  if (buffer_.empty()) return;
  buffer_.drain([this](const RawSample& sample, const RawFrame* frames) { resolver_.add(sample, frames); });
}

void TimeSampler::handle(const ucontext_t& context) {
  if (g_sampler != nullptr) g_sampler->take(context);
}

void TimeSampler::take(const ucontext_t& context) {
  const uint64_t now = thread_processor_time();
  const uint64_t since = now - seen_;
  seen_ = now;
  RawSample* sample = buffer_.begin(FrameCapture::kMostFrames);
  if (sample == nullptr) return buffer_.lose(since);
  sample->nanoseconds = since;
  capture_.take(context, sample, SampleBuffer::frames_of(sample));
  buffer_.finish(*sample);
}

}  // namespace mangata
