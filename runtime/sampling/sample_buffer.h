// Where samples wait until somebody looks: two buffers of fixed size, one of which is written.
//
// [DESIGN] Writer and reader are the same thread: the writer is its signal handler, which may come between any two instructions of
// the reader, and runs to its end there. So there is nothing to lock. The reader makes the other buffer the one that is written,
// and then reads what no handler touches any more. A handler that finds no room counts the sample and its time as lost.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/sampling/raw_sample.h"

namespace mangata {

class SampleBuffer {
 public:
  static constexpr size_t kBytes = size_t{4} << 20;  ///< of each; only what is written takes memory

  SampleBuffer();

  /// Of the handler: room for a sample with `frame_count` frames, or null. It counts once finish() was called.
  RawSample* begin(uint32_t most_frames);
  void finish(const RawSample& sample);
  void lose(uint64_t nanoseconds);

  bool empty() const { return used_[active_.load(std::memory_order_relaxed)] == 0; }
  /// Worth a visit, even where nothing else asks for one.
  bool is_filling() const { return used_[active_.load(std::memory_order_relaxed)] > kBytes / 8; }
  /// Of the reader: calls visit(sample, frames) for each sample so far, in their order, and forgets them.
  template <typename Visit>
  void drain(Visit&& visit);

  uint64_t lost() const { return lost_; }
  uint64_t lost_nanoseconds() const { return lost_nanoseconds_; }

  static RawFrame* frames_of(RawSample* sample) { return reinterpret_cast<RawFrame*>(sample + 1); }

 private:
  struct Unmap {
    void operator()(char* memory) const;
  };
  char* buffer(unsigned index) const { return memory_.get() + index * kBytes; }

  std::unique_ptr<char, Unmap> memory_;
  std::atomic<unsigned> active_{0};
  size_t used_[2] = {0, 0};
  uint64_t lost_ = 0;
  uint64_t lost_nanoseconds_ = 0;
};

template <typename Visit>
void SampleBuffer::drain(Visit&& visit) {
  const unsigned full = active_.load(std::memory_order_relaxed);
  if (used_[full] == 0) return;
  used_[full ^ 1] = 0;
  active_.store(full ^ 1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  for (size_t at = 0; at < used_[full];) {
    auto* sample = reinterpret_cast<RawSample*>(buffer(full) + at);
    visit(std::as_const(*sample), frames_of(sample));
    at += sizeof(RawSample) + sample->frame_count * sizeof(RawFrame);
  }
  used_[full] = 0;
}

}  // namespace mangata
