#include "vm/interpreter/low_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>

#include "vm/heap/emergency_memory.h"

namespace mangata {
namespace {

constexpr size_t kGranuleBytes = 16;
constexpr size_t kPageBytes = 4096;
constexpr size_t kLargestPooled = 16 * 1024;  ///< more has pages of its own
constexpr size_t kChunkBytes = 256 * 1024;
/// Where to look. What non-relocatable programs bring along, and forbidden pages, lie below.
constexpr uintptr_t kFirst = uintptr_t{1} << 28, kEnd = uintptr_t{1} << 31, kStride = uintptr_t{1} << 26;

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

class LowMemory {
 public:
  void* allocate(size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kLargestPooled) return map(round_up(bytes, kPageBytes));
    bytes = round_up(bytes, kGranuleBytes);
    FreeBlock*& free = free_[bytes / kGranuleBytes];
    if (free != nullptr) {
      void* block = std::exchange(free, free->next);
      return std::memset(block, 0, bytes);
    }
    if (static_cast<size_t>(chunk_end_ - chunk_) < bytes) {
      chunk_ = static_cast<char*>(map(kChunkBytes));
      chunk_end_ = chunk_ + kChunkBytes;
    }
    return std::exchange(chunk_, chunk_ + bytes);
  }

  void release(void* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kLargestPooled) {
      munmap(memory, round_up(bytes, kPageBytes));
      return;
    }
    FreeBlock*& free = free_[round_up(bytes, kGranuleBytes) / kGranuleBytes];
    free = new (memory) FreeBlock{free};
  }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };

  static void* map_at(uintptr_t hint, size_t bytes) {
    void* memory = mmap(reinterpret_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    if (EmergencyMemory::give_way()) return map_at(hint, bytes);
    throw std::bad_alloc();
  }

  /// Goes upwards, and around once: what was released is found again.
  void* map(size_t bytes) {
    for (int rounds = 0; rounds < 2; next_ = kFirst, ++rounds) {
      for (; next_ + bytes <= kEnd; next_ = round_up(next_ + 1, kStride)) {
        void* memory = map_at(next_, bytes);
        const auto address = reinterpret_cast<uintptr_t>(memory);
        if (address + bytes <= kEnd) {
          next_ = address + bytes;
          return memory;
        }
        munmap(memory, bytes);
      }
    }
    return map_at(0, bytes);
  }

  std::mutex mutex_;
  std::array<FreeBlock*, kLargestPooled / kGranuleBytes + 1> free_{};
  char* chunk_ = nullptr;
  char* chunk_end_ = nullptr;
  uintptr_t next_ = kFirst;
};

/// Never destroyed: tables may be released later than anything else.
LowMemory& low_memory() {
  static LowMemory& memory = *new LowMemory;
  return memory;
}

}  // namespace

void* allocate_low(size_t bytes) { return low_memory().allocate(bytes); }
void release_low(void* memory, size_t bytes) { low_memory().release(memory, bytes); }

}  // namespace mangata
