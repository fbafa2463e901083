// Memory that comes zeroed from the system, for long arrays of which little is used.
//
// A function of ten thousand instructions that is recorded for a moment executes a hundred of them. What a new element holds is all
// zeros; new pages hold that already, so elements that nobody looks at cost nothing.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace mangata::jit {

/// For containers that never shrink. A default element of T has to be all zeros.
template <typename T>
struct ZeroedAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  ZeroedAllocator() = default;
  template <typename U>
  ZeroedAllocator(const ZeroedAllocator<U>&) {}

  /// All zeros.
  T* allocate(size_t count) {
    void* memory = std::calloc(count, sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }  ///< what allocate() returned

  /// A default element is there already.
  void construct(T*) {}
  template <typename... Arguments>
  void construct(T* place, Arguments&&... arguments) {
    new (place) T(std::forward<Arguments>(arguments)...);
  }

  bool operator==(const ZeroedAllocator&) const { return true; }
};

}  // namespace mangata::jit
