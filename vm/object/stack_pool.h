// Which stacks nobody uses; see stack_reserve.h for what they are.
//
// [DESIGN] Fresh pages are zero, which is nil: a slot of a VM stack above the soft limit is nil, always.
// Stacks given back are cleared to that state. They are used again last in, first out, while they are in the
// processor's caches; as long as they are not many they keep their pages.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "vm/object/stack_reserve.h"

namespace mangata {

class StackPool {
 public:
  StackPool() : reserve_(std::make_unique<StackReserve>()) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// With a VM stack of nil slots; null when the system has no address space left.
  StackPair* take();
  void prepare_native(StackPair& pair) { reserve_->prepare_native(pair); }
  /// `used_end`: every slot of the VM stack at or above it is nil.
  void give_back(StackPair* pair, Value* used_end);
  /// How much memory the pool may hold. The collector makes it a share of the heap.
  void set_warm_limit(size_t bytes) { most_warm_ = std::max(kMinWarm, bytes / kUsualBytes); }
  /// Of the pairs that nobody uses, all but those that are used next give their memory back to the system.
  void trim();

 private:
  static constexpr size_t kUsualBytes = 8192;  ///< of a pair in use, with a share of the page tables
  static constexpr size_t kWarmBytes = 8192;   ///< at most, of each warm VM stack
  static constexpr size_t kMinWarm = 128;
  StackPair* take_free(size_t kind);
  void make_cold(StackPair& pair, char* used_end);

  size_t most_warm_ = kMinWarm;                    ///< of each kind
  std::vector<StackPair*> warm_[kStackKindCount];  ///< the last is used first
  std::vector<StackPair*> cold_[kStackKindCount];  ///< used when none is warm; they hold no memory
  std::unique_ptr<StackReserve> reserve_;
};

/// Makes a range zero, that is, nil. Whole pages above the first `keep_bytes` are given back when they are
/// many.
void clear_range(char* from, char* to, size_t keep_bytes);

}  // namespace mangata
