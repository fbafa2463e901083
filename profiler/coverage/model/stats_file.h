// luacov.stats.out: the hits of lines as LuaCov keeps them, from which its reporters make theirs. A run adds to what is there.
//
//     24:src/words.lua        the last line that was hit, and the file
//     1 0 0 12 ...            hits of the lines 1 to that one
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "profiler/coverage/model/line_hits.h"

namespace mangata::coverage {

/// Lines that were hit, by file.
using Stats = std::map<std::string, LineHits>;

/// Whatever precedes the first thing that is not in this form.
Stats parse_stats(std::string_view text);

std::string write_stats(const Stats& stats);

void add_stats(Stats& into, const Stats& other);

}  // namespace mangata::coverage
