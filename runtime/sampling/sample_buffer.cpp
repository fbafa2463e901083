#include "runtime/sampling/sample_buffer.h"

#include <sys/mman.h>

#include <new>

namespace mangata {

SampleBuffer::SampleBuffer() {
  void* memory = mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_.reset(static_cast<char*>(memory));
}

void SampleBuffer::Unmap::operator()(char* memory) const { munmap(memory, 2 * kBytes); }

RawSample* SampleBuffer::begin(uint32_t most_frames) {
  const unsigned index = active_.load(std::memory_order_relaxed);
  if (kBytes - used_[index] < sizeof(RawSample) + most_frames * sizeof(RawFrame)) return nullptr;
  return new (buffer(index) + used_[index]) RawSample();
}

void SampleBuffer::finish(const RawSample& sample) {
  used_[active_.load(std::memory_order_relaxed)] += sizeof(RawSample) + sample.frame_count * sizeof(RawFrame);
}

void SampleBuffer::lose(uint64_t nanoseconds) {
  ++lost_;
  lost_nanoseconds_ += nanoseconds;
}

}  // namespace mangata
