// What profiles know of the texts that they are about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mangata {

/// The text of a chunk as it was loaded, for showing lines of it.
struct ChunkText {
  std::string source;   ///< chunk name as given to load
  uint64_t length = 0;  ///< of the text, in bytes
  uint64_t hash = 0;    ///< of the text (profiler/source_lines.h)
  /// Kept when no file named like the chunk had that text at load and there was room; else empty.
  std::optional<std::string> text;
  bool is_ambiguous = false;  ///< different texts were loaded under this name: none is shown
};

}  // namespace mangata
