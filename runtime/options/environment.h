// MANGATA_OPTIONS: options for programs that others start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mangata {

/// The words of a text as a shell splits them: at blanks, but in quotes and after a backslash. False: a quote or the backslash at the
/// end has no counterpart; *error says which.
bool split_words(std::string_view text, std::vector<std::string>* words, std::string* error);

}  // namespace mangata
