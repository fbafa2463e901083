// Compression of reports.
#pragma once

#include <string>
#include <string_view>

namespace mangata {

/// As `gzip` writes it (RFC 1952), without name and time: equal data give equal files. Throws std::bad_alloc without memory.
std::string gzipped(std::string_view data);

}  // namespace mangata
