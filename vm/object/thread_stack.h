// VM stacks: reserved address space for kMaxStackSlots values each, pooled.
//
// [DESIGN] A stack never moves, so each has its whole range reserved (48 MiB) and the system commits pages as
// they are touched. Many ranges share one mapping, so that 100,000 coroutines do not exhaust the kernel's map
// count. Where address space is scarce (`ulimit -v`), a stack is a mapping of its own, with room for kMaxValueSlots
// slots, headers included. Fresh pages are zero, which is nil: a slot above the soft limit is nil, always. A stack
// given back is cleared to that state; its first pages stay committed while the pool of warm stacks is not full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "vm/value/value.h"

namespace mangata {

struct Thread;
struct Vm;

class ThreadStackPool {
 public:
  static constexpr size_t kReservedBytes = size_t{48} << 20;
  static constexpr size_t kSmallReservedBytes = size_t{16} << 20;

  ThreadStackPool() = default;
  ~ThreadStackPool();
  ThreadStackPool(const ThreadStackPool&) = delete;
  ThreadStackPool& operator=(const ThreadStackPool&) = delete;

  /// A range of nil slots, or null when the system has no address space left.
  Value* take();
  /// How many slots of it may be used, besides those for handling an overflow.
  uint32_t slots_of(const Value* stack) const;
  /// `used_end`: every slot at or above it is nil.
  void give_back(Value* stack, Value* used_end);
  /// How much memory the pool may hold. The collector makes it a share of the heap.
  void set_warm_limit(size_t bytes) { max_warm_stacks_ = std::max(kMinWarmStacks, bytes / kUsualBytes); }

 private:
  static constexpr size_t kStacksPerMapping = 16;
  static constexpr size_t kUsualBytes = 4096;  ///< of a stack in use, as the heap accounts for it
  static constexpr size_t kWarmBytes = 8192;   ///< at most, of each warm stack
  static constexpr size_t kMinWarmStacks = 128;
  struct Mapping {
    void* address;
    size_t bytes;
  };
  /// When there is no address space for many.
  Value* take_small();

  size_t max_warm_stacks_ = kMinWarmStacks;
  std::vector<Value*> warm_;  ///< used first, the last given back before the others
  std::vector<Value*> cold_;
  std::vector<Mapping> mappings_;
  std::vector<const Value*> small_;  ///< few: each takes a good part of the address space there is
};

/// Gives `thread` a stack with the bottom frame on it. False: no address space.
bool acquire_thread_stack(Vm& vm, Thread& thread);
void release_thread_stack(Vm& vm, Thread& thread);

/// Thread::set_soft_limit, and the heap's account of it.
void change_soft_limit(Vm& vm, Thread& thread, Value* limit);

/// Raises the soft limit so that the lowest `slots` of the stack can be used, which are more than up to now. False: that
/// would be a stack overflow. Precondition where they are more than kMaxValueSlots: all frames of the thread are complete.
bool grow_stack(Vm& vm, Thread& thread, size_t slots);
/// Takes the slots for handling an overflow away, and what only the frames that are gone were allowed.
void end_overflow(Vm& vm, Thread& thread);
/// What the stacks of `thread` count in the heap.
size_t stack_account_bytes(const Thread& thread);

/// Sets all above the top to nil; whole pages far above the top go back to the system.
void clear_stack_above_top(Thread& thread);

}  // namespace mangata
