#include "runtime/cli/c_heap.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "vm/heap/huge_pages.h"

namespace mangata {

#ifdef __GLIBC__
namespace {

constexpr int kMegabyte = 1 << 20;
/// Of address space, which becomes memory when it is used.
constexpr int kReservedBytes = 32 * kMegabyte;
/// Of the end of the heap. Large strings and tables come and go there. By default it is given back to the system whenever 128 KB of it
/// are free, and asked for again, zeroed, a moment later: a string that grows by "s = s .. x" took most of its time there.
constexpr int kKeptBytes = kReservedBytes + 32 * kMegabyte;
/// Half of what it comes to by itself once such blocks have been freed.
constexpr int kMapBytes = 16 * kMegabyte;
/// So much gets small pages: programs that need little (huge_pages.h).
constexpr size_t kBytesInSmallPages = kMegabyte / 2;

bool is_address_space_limited() {
  rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/// Behind the small pages, up to the first huge one: address space. Its end is not known before, and in small pages a megabyte would
/// cost as much as twenty huge ones do. Nobody reads it: compilers leave out blocks that are not used.
void* volatile gap = nullptr;

/// The heap grows by kReservedBytes, at once: only what exists can be marked for huge pages.
void reserve() {
  constexpr int kUsualPad = 128 * 1024;
  constexpr size_t kMoreThanIsLeft = 256 * 1024;  // so that the heap has to grow
  mallopt(M_TOP_PAD, kReservedBytes);
  void* const block = std::malloc(kMoreThanIsLeft);
  mallopt(M_TOP_PAD, kUsualPad);
  const auto start = reinterpret_cast<uintptr_t>(block);
  const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
  const bool has_grown = block != nullptr && start < end && end - start >= kReservedBytes && end - start < 2 * kReservedBytes;
  std::free(block);
  if (!has_grown) return;
  const uintptr_t huge = (start + kBytesInSmallPages + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  ask_for_huge_pages(reinterpret_cast<void*>(huge), end - huge);
  constexpr size_t kHeaders = 64;  // of blocks
  void* const small = std::malloc(kBytesInSmallPages - kHeaders);
  const size_t left = huge - (reinterpret_cast<uintptr_t>(small) + kBytesInSmallPages);
  if (left < kMapBytes) gap = std::malloc(left);
  std::free(small);
}

}  // namespace

void prepare_c_heap() {
  for (const char* name : {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"}) {
    if (std::getenv(name) != nullptr) return;  // the user knows better
  }
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_MMAP_THRESHOLD, kMapBytes);
  if (!is_address_space_limited()) reserve();
}
#else
void prepare_c_heap() {}
#endif

}  // namespace mangata
