#include "vm/interpreter/path_allocations.h"

#include "vm/object/thread.h"

namespace mangata {

void PathAllocations::attach(const Heap& heap) {
  heap_ = &heap;
  seen_ = heap.allocated();
}

/// Most paths allocate nothing, and counting the bytes is cheaper than counting the objects.
void PathAllocations::charge() {
  if (heap_->allocated_bytes() == seen_.bytes) return;
  const Allocated now = heap_->allocated();
  if (!current_->empty()) current_->back().charged += now - seen_;
  seen_ = now;
}

void PathAllocations::push(const FrameHeader* frame) {
  charge();
  while (!current_->empty() && current_->back().frame >= frame) current_->pop_back();
  current_->push_back({frame, {}});
}

Allocated PathAllocations::take(const FrameHeader* frame) {
  charge();
  while (!current_->empty() && current_->back().frame > frame) current_->pop_back();
  if (current_->empty() || current_->back().frame != frame) current_->push_back({frame, {}});
  const Allocated charged = current_->back().charged;
  current_->back().charged = {};
  return charged;
}

void PathAllocations::change_thread(const Thread& thread, bool is_new) {
  charge();
  current_ = &stacks_[thread.stack];
  if (is_new) current_->clear();
}

}  // namespace mangata
