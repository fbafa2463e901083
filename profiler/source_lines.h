// The source lines of chunks, for showing paths in them.
//
// Invariant: a line is shown only if it is one of the text that ran, as far as that is known: the text that was kept at load; the file
// whose name the chunk has, if it still has the text that was loaded; the name itself, when it is a text.
// Read next: profiler/loaded_texts.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/chunk_text.h"

namespace mangata {

/// 64-bit FNV-1a.
uint64_t text_hash(std::string_view text);
std::string hash_text(uint64_t hash);  ///< 16 hexadecimal digits

/// What loadfile compiles of a file: without its byte-order mark and its first line if that begins with #. Empty when it cannot be read.
std::string source_of_file(const std::string& name);

class SourceLines {
 public:
  /// `chunks` outlives this; where it says nothing, files are taken at their word.
  explicit SourceLines(const std::vector<ChunkText>* chunks = nullptr) : known_(chunks) {}

  /// Line `number` (from 1) of a chunk, without its end; empty when it is not known.
  std::string_view line(const std::string& chunk_name, int number);
  /// Why no line of the chunk is known, for readers; empty when they are.
  std::string_view problem(const std::string& chunk_name);

 private:
  struct Chunk {
    std::string text;
    std::vector<std::string_view> lines;
    const char* problem = "";
  };
  const Chunk& chunk(const std::string& chunk_name);
  void find_text(const std::string& chunk_name, Chunk* chunk) const;

  const std::vector<ChunkText>* known_;
  std::map<std::string, Chunk> chunks_;
};

}  // namespace mangata
