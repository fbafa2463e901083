// The same addresses in every run: for programs whose behaviour depends on them, through the order in which
// pairs() visits tables with objects as keys, or texts like "table: 0x...".
#pragma once

#include <cstddef>

namespace mangata {

/// From now on, in this process, heaps ask for memory at addresses that follow from what they asked for
/// before. The system is free to refuse, then it chooses.
void use_fixed_addresses();

/// What to pass to mmap for `size_bytes` of heap: null (anywhere) unless use_fixed_addresses() was called.
void* address_for_heap(size_t size_bytes);

}  // namespace mangata
