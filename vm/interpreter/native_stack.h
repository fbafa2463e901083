// Native stacks for coroutines, pooled.
//
// [DESIGN] A coroutine runs on a native stack of its own, so it can yield from anywhere: out of pcall, metamethods,
// iterators, table.sort. Stacks are carved from large mappings (many stacks per mapping, so that live coroutines do not
// exhaust the kernel's map count), committed lazily, and reused last-in first-out. They have no guard pages: every call
// from native code into Lua checks Thread::native_limit, kNativeReserveBytes above the end.
#pragma once

#include <cstddef>
#include <vector>

namespace mangata {

struct NativeStack {
  static constexpr size_t kBytes = 256 * 1024;
  char* low;  ///< lowest address
  char* high() const { return low + kBytes; }
};

/// What native code may use beyond the point where its depth was checked.
inline constexpr size_t kNativeReserveBytes = 48 * 1024;

class NativeStackPool {
 public:
  NativeStackPool() = default;
  ~NativeStackPool();
  NativeStackPool(const NativeStackPool&) = delete;
  NativeStackPool& operator=(const NativeStackPool&) = delete;

  /// Null when the system has no address space left.
  NativeStack* take();
  void give_back(NativeStack* stack) { free_.push_back(stack); }

 private:
  static constexpr size_t kStacksPerMapping = 64;
  std::vector<NativeStack*> free_;
  std::vector<NativeStack*> mappings_;  ///< arrays of kStacksPerMapping stacks; the first one's `low` starts the mapping
};

}  // namespace mangata
