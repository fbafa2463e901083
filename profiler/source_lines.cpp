#include "profiler/source_lines.h"

#include <fstream>
#include <iterator>

namespace mangata {
namespace {

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

const SourceLines::Chunk& SourceLines::chunk(const std::string& chunk_name) {
  const auto [place, is_new] = chunks_.try_emplace(chunk_name);
  Chunk& chunk = place->second;
  if (!is_new) return chunk;
  if (chunk_name.starts_with('@')) {
    chunk.text = read_file(chunk_name.substr(1));
  } else if (!chunk_name.starts_with('=')) {
    chunk.text = chunk_name;
  }
  std::string_view rest = chunk.text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    chunk.lines.push_back(line);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return chunk;
}

std::string_view SourceLines::line(const std::string& chunk_name, int number) {
  const Chunk& known = chunk(chunk_name);
  if (number < 1 || static_cast<size_t>(number) > known.lines.size()) return {};
  return known.lines[static_cast<size_t>(number) - 1];
}

}  // namespace mangata
