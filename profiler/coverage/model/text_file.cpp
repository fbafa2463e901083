#include "profiler/coverage/model/text_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "profiler/source_lines.h"

namespace mangata::coverage {

std::optional<std::string> read_text(const std::string& file_name) {
  std::ifstream file(file_name, std::ios::binary);
  if (!file) return {};
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return {};
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string id_of_text(const std::string& text) { return hash_text(text_hash(text)); }

}  // namespace mangata::coverage
