// Memory in huge pages, where the system gives them to those who ask (Linux: transparent_hugepage is `madvise`).
//
// What costs is that a page is touched for the first time, above all where the machine is a virtual one, and not how large it is. Memory
// of which little may ever be used gets small pages all the same: a huge one might stay almost empty.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace mangata {

inline constexpr size_t kHugePageBytes = size_t{2} << 20;

/// `start` is at a page. Without effect where there are no huge pages.
inline void ask_for_huge_pages(void* start, size_t bytes) { madvise(start, bytes, MADV_HUGEPAGE); }

}  // namespace mangata
