// Whose allocations are: bytes and objects of paths [Ball & Larus 1996, §1.2: what is accumulated per path may be any
// metric].
//
// [DESIGN] Allocations are exclusive, as in a flat profile: those of a Lua function that a path calls belong to the paths of that
// function, those of functions of C++ to the path that calls them. There is one activation whose they are: the innermost counted one
// of the running thread. The heap knows how much was ever allocated, whoever did it (Heap::allocated). Each event where the
// activation may change looks at that: what was allocated since the last event is charged to the activation that ran.
//
// Frames have no room for what an activation has been charged, so each thread has a second stack for it, by
// frame address. It needs no care when an error discards frames: whoever looks drops what lies above his own
// frame.
//
// Read next: vm/interpreter/path_event.h (the events), profiler/path_profiler.h.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/heap/heap.h"
#include "vm/object/frame.h"

namespace mangata {

struct Thread;

class PathAllocations {
 public:
  PathAllocations() : current_(&stacks_[nullptr]) {}

  /// What `heap` allocates from now on is charged. It must outlive the events.
  void attach(const Heap& heap);

  /// While one of these lives, what is allocated is nobody's: what is done about a program, such as compiling it.
  class Pause {
   public:
    /// @param allocations  null: nothing is done
    explicit Pause(PathAllocations* allocations) : allocations_(allocations) {
      if (allocations_ != nullptr) allocations_->charge();
    }
    ~Pause() {
      if (allocations_ != nullptr) allocations_->seen_ = allocations_->heap_->allocated();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    PathAllocations* allocations_;
  };

  /// Such an object was allocated just now.
  void leave_out(const Allocated& allocated) { seen_ += allocated; }

  /// An activation with this frame begins.
  void push(const FrameHeader* frame);
  /// What it was charged since the last time.
  Allocated take(const FrameHeader* frame);
  /// The activation that take() was last called for ends.
  void pop() { current_->pop_back(); }
  /// `thread` runs from now on, for the first time if `is_new`.
  void change_thread(const Thread& thread, bool is_new);

 private:
  struct Activation {
    const FrameHeader* frame;
    Allocated charged;
  };
  using Stack = std::vector<Activation>;

  void charge();

  const Heap* heap_ = nullptr;
  Allocated seen_;  ///< at the last event
  std::unordered_map<const Value*, Stack>
      stacks_;  ///< by where the stack of the thread is, of which there are not many
  Stack* current_;
};

}  // namespace mangata
