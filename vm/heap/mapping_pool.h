// Address space that closed machines leave to the next one. To map it, and above all to touch its pages for the first time, is most of
// what opening a machine costs the system.
#pragma once

#include <atomic>
#include <cstddef>

namespace mangata {

/// A few mappings of one kind and size, kept for the life of the process. Safe for threads and after fork().
class MappingPool {
 public:
  /// Null: there is none.
  char* take() {
    for (auto& place : mappings_) {
      char* mapping = place.load(std::memory_order_relaxed);
      if (mapping != nullptr && place.compare_exchange_strong(mapping, nullptr)) return mapping;
    }
    return nullptr;
  }

  /// False: there are enough, and the caller unmaps this one.
  bool give(char* mapping) {
    for (auto& place : mappings_) {
      char* none = nullptr;
      if (place.compare_exchange_strong(none, mapping)) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kMostMappings = 4;
  std::atomic<char*> mappings_[kMostMappings] = {};
};

}  // namespace mangata
