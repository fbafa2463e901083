// The texts that a program has loaded, so that reports show the lines that ran and not those of a file that happens to have the name.
//
// [DESIGN] A chunk is called what the program likes: "@x.fnl" for Lua code that was made from x.fnl. So each text is hashed when it is
// compiled. A text that the file of its name has is read again when it is shown, and compared; any other text is kept, up to a bound.
// Chunks that are named by their own text need neither.
//
// Read next: profiler/source_lines.h.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/chunk_text.h"

namespace mangata {

class LoadedTexts {
 public:
  /// `text` is compiled under this name (as given to load).
  void loaded(std::string_view text, std::string_view chunk_name);

  /// Of the chunks that the functions are from, as far as known.
  template <class Function>
  std::vector<ChunkText> of(const std::vector<Function>& functions) const {
    std::set<std::string_view> names;
    for (const Function& function : functions) names.insert(function.source);
    return of(names);
  }

 private:
  std::vector<ChunkText> of(const std::set<std::string_view>& names) const;

  static constexpr size_t kMostKeptBytes = size_t{16} << 20;
  static constexpr size_t kLongestKept = size_t{1} << 20;
  static constexpr size_t kMostChunks = 20'000;

  std::map<std::string, ChunkText, std::less<>> chunks_;
  size_t kept_bytes_ = 0;
};

}  // namespace mangata
