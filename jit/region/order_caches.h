// Inline caches by what was recorded.
//
// [DESIGN] Machine code compares with the two shapes of a site first, and asks the cache that all sites share for others: three times as
// dear. A site learns the first shapes that it meets, which need not be those that it meets most, and relearning by chance would
// cost all sites that alternate. A recording has counted them.
#pragma once

#include "jit/region/type_recorder.h"

namespace mangata {
struct Vm;
}

namespace mangata::jit {

/// Every site of the functions that were recorded has the shape that it met most in its first cache, and the next in the second. No safepoint.
void order_caches(Vm& vm, const TypeRecorder& types);

}  // namespace mangata::jit
