// The text of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mangata::coverage {

/// Empty: it cannot be read.
std::optional<std::string> read_text(const std::string& file_name);

/// Without their ends; a line end at the end of the text begins no further line.
std::vector<std::string> lines_of(const std::string& text);

/// A hash, by which texts are told apart: 16 hexadecimal digits.
std::string id_of_text(const std::string& text);

}  // namespace mangata::coverage
