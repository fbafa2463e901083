// What functions a text has.
#pragma once

#include <optional>
#include <string>

#include "profiler/coverage/run_coverage.h"

namespace mangata::coverage {

/// All functions of a text, as loading it as `source` would make them; counts are 0. Empty: it does not compile.
std::optional<CoveredChunk> functions_of(const std::string& text, const std::string& source);

}  // namespace mangata::coverage
