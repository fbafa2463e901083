// The source lines of chunks, for showing paths in them: read from the file when the chunk name starts with @, else from the
// chunk name itself, which is the chunk's text unless the program chose another one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mangata {

class SourceLines {
 public:
  /// Line `number` (from 1) of a chunk, without its end; empty when it is not known.
  std::string_view line(const std::string& chunk_name, int number);

 private:
  struct Chunk {
    std::string text;
    std::vector<std::string_view> lines;
  };
  const Chunk& chunk(const std::string& chunk_name);

  std::map<std::string, Chunk> chunks_;
};

}  // namespace mangata
