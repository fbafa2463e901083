// The text of a file, and what functions it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/coverage/run_coverage.h"

namespace mangata::coverage {

/// Empty: it cannot be read.
std::optional<std::string> read_text(const std::string& file_name);

/// Without their ends; a line end at the end of the text begins no further line.
std::vector<std::string> lines_of(const std::string& text);

/// All functions of a text, as loading it as `source` would make them; counts are 0. Empty: it does not compile.
std::optional<CoveredChunk> functions_of(const std::string& text, const std::string& source);

}  // namespace mangata::coverage
