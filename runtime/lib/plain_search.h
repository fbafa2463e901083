// Searching text for text, for patterns without magic characters.
#pragma once

#include <string_view>

namespace mangata {

/// True when `pattern` has no magic character: a plain search finds the same.
bool is_plain_pattern(std::string_view pattern);

/// The first occurrence of `needle` in `haystack`, or null.
const char* find_plain(std::string_view haystack, std::string_view needle);

}  // namespace mangata
