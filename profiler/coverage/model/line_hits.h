// How often lines were hit.
#pragma once

#include <cstdint>
#include <map>

namespace mangata::coverage {

/// By line.
using LineHits = std::map<int32_t, uint64_t>;

}  // namespace mangata::coverage
