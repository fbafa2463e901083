#include "jit/code_memory/code_arena.h"

#include <cpuid.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace mangata {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

/// rel32 spans 2 GB; the rest is left for the size of the executable around the address that we measure from.
constexpr size_t kReachBytes = 1792 * kMegabyte;

uint8_t* map(void* address, size_t size_bytes, int protection, int flags) {
  void* place = mmap(address, size_bytes, protection, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<uint8_t*>(place);
}

uintptr_t text_address() { return reinterpret_cast<uintptr_t>(&text_address); }

bool reaches_text(uintptr_t start, size_t size_bytes) {
  const uintptr_t text = text_address();
  return (start > text ? start - text : text - start) <= kReachBytes &&
         (start + size_bytes > text ? start + size_bytes - text : text - start - size_bytes) <= kReachBytes;
}

/// Address space within reach of .text, or else anywhere, without access rights. nullptr: none.
///
/// Below the executable comes first: the space above it belongs to the growing heap of malloc.
uint8_t* reserve_near_text(size_t size_bytes) {
  constexpr size_t kFirstDistance = 256 * kMegabyte;
  constexpr size_t kStep = 64 * kMegabyte;
  const uintptr_t text = text_address() & ~(2 * kMegabyte - 1);
  for (const bool below : {true, false}) {
    for (size_t distance = kFirstDistance; distance < kReachBytes; distance += kStep) {
      if (below && text < distance + size_bytes) break;
      const uintptr_t start = below ? text - distance - size_bytes : text + distance;
      if (!reaches_text(start, size_bytes)) break;
      uint8_t* wanted = reinterpret_cast<uint8_t*>(start);
      uint8_t* place = map(wanted, size_bytes, PROT_NONE, MAP_PRIVATE | MAP_FIXED_NOREPLACE);
      if (place == wanted) return place;
      if (place != nullptr) munmap(place, size_bytes);  // a kernel before 4.17 takes the address as a hint
    }
  }
  return map(nullptr, size_bytes, PROT_NONE, MAP_PRIVATE);
}

bool register_membarrier() {
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
  return registered;
}

}  // namespace

/// The arenas of the process, told of each fork.
class ForkHandlers {
 public:
  static void add(CodeArena* arena) {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(prepare, in_parent, in_child); });
    const std::lock_guard lock(mutex_);
    arenas().push_back(arena);
  }

  static void remove(CodeArena* arena) {
    const std::lock_guard lock(mutex_);
    std::erase(arenas(), arena);
  }

 private:
  static std::vector<CodeArena*>& arenas() {
    static auto* list = new std::vector<CodeArena*>;  // a fork may happen after the destructors of statics
    return *list;
  }

  static void prepare() {
    mutex_.lock();
    for (CodeArena* arena : arenas()) arena->copy_before_fork();
  }

  static void in_parent() {
    for (CodeArena* arena : arenas()) arena->drop_copy();
    mutex_.unlock();
  }

  static void in_child() {
    for (CodeArena* arena : arenas()) arena->adopt_copy();
    mutex_.unlock();
  }

  static inline std::mutex mutex_;
};

CodeArena::CodeArena(size_t size_bytes) {
  const size_t page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_bytes_ = std::max(size_bytes, page_bytes) + page_bytes - 1;
  size_bytes_ -= size_bytes_ % page_bytes;
  rw_ = map(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (rw_ == nullptr) return;
  if (uint8_t* place = reserve_near_text(size_bytes_)) {
    rx_ = place;
    if (!map_executable_alias()) {
      munmap(rx_, size_bytes_);
      rx_ = nullptr;
    }
  }
  if (rx_ == nullptr) {
    munmap(rw_, size_bytes_);
    rw_ = nullptr;
    return;
  }
  register_membarrier();
  ForkHandlers::add(this);
}

CodeArena::~CodeArena() {
  if (!ok()) return;
  ForkHandlers::remove(this);
  munmap(rx_, size_bytes_);
  munmap(rw_, size_bytes_);
}

bool CodeArena::map_executable_alias() {
  // An old size of zero makes a second mapping of the same shared pages instead of moving the first one.
  if (mremap(rw_, 0, size_bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, rx_) == MAP_FAILED && !map_memory_file()) {
    return false;
  }
  return mprotect(rx_, size_bytes_, PROT_READ | PROT_EXEC) == 0;
}

/// For where mremap refuses a length of zero, above all under valgrind: puts the pages of a memfd in the
/// place of those at rw_, with what was written there, and maps them at rx_ as well.
bool CodeArena::map_memory_file() {
  const int file = memfd_create("machine code", MFD_CLOEXEC);
  if (file < 0) return false;
  const auto map_at = [&](uint8_t* place) {
    return mmap(place, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  };
  const bool ok = ftruncate(file, static_cast<off_t>(size_bytes_)) == 0 &&
                  pwrite(file, rw_, written_bytes_, 0) == static_cast<ssize_t>(written_bytes_) &&
                  map_at(rw_) && map_at(rx_);
  close(file);
  return ok;
}

bool CodeArena::near_text() const {
  return ok() && reaches_text(reinterpret_cast<uintptr_t>(rx_), size_bytes_);
}

void CodeArena::prepare(size_t end) {
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, of Linux 5.14; without it pages come one by one
  constexpr size_t kLeast = 16 * 1024, kMost = 256 * 1024;
  if (end <= prepared_bytes_) return;
  const size_t wanted = (end + std::clamp(end / 8, kLeast, kMost) + kLeast - 1) & ~(kLeast - 1);
  const size_t prepared = std::min(wanted, size_bytes_);
  madvise(rw_ + prepared_bytes_, prepared - prepared_bytes_, kPopulateWrite);
  prepared_bytes_ = prepared;
}

void CodeArena::leave_alias(size_t offset) {
  constexpr size_t kLeftAtOnce = 128 * 1024;  // a system call each
  const size_t end = offset - offset % kLeftAtOnce;
  if (end <= left_bytes_) return;
  madvise(rw_ + left_bytes_, end - left_bytes_, MADV_DONTNEED);  // the pages themselves stay: they are shared memory
  left_bytes_ = end;
}

void CodeArena::copy_before_fork() {
  copy_ = map(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (copy_ != nullptr) std::memcpy(copy_, rw_, written_bytes_);
}

void CodeArena::drop_copy() {
  if (copy_ != nullptr) munmap(copy_, size_bytes_);
  copy_ = nullptr;
}

void CodeArena::adopt_copy() {
  // Without a copy or without this move the two processes would overwrite each other's code: better no child.
  if (copy_ == nullptr ||
      mremap(copy_, size_bytes_, size_bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, rw_) == MAP_FAILED ||
      !map_executable_alias()) {
    _exit(127);
  }
  copy_ = nullptr;
}

void CodeArena::synchronize_instruction_streams() {
  if (register_membarrier() &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0) {
    return;
  }
  // Where the system call is filtered: serializes this thread (and in a virtual machine takes 9 µs).
  unsigned a, b, c, d;
  __cpuid(0, a, b, c, d);
}

}  // namespace mangata
