#include "profiler/page/page_source.h"

#include <algorithm>
#include <set>

#include "profiler/page/page_cut.h"

namespace mangata {
namespace {

constexpr int32_t kNear = 2;         ///< lines around one that ran
constexpr int32_t kShownWhole = 300;  ///< functions of so many lines

std::set<int32_t> wanted_lines(const FunctionProfile& function, const std::map<int32_t, LineRow>& ran) {
  std::set<int32_t> wanted;
  for (const auto& [line, row] : ran) {
    for (int32_t near = std::max(line - kNear, 1); line > 0 && near <= line + kNear; ++near) wanted.insert(near);
  }
  const int32_t first = std::max(function.line_defined, 1), last = function.last_line_defined;
  if (last >= first && last - first < kShownWhole) {
    for (int32_t line = first; line <= last; ++line) wanted.insert(line);
  }
  return wanted;
}

}  // namespace

size_t PageSource::add(const FunctionProfile& function, const std::map<int32_t, LineRow>& ran) {
  const auto [place, is_new] = known_.try_emplace(function.source, files_.size());
  if (is_new) files_.push_back({function.file, function.source, {}});
  File& file = files_[place->second];
  const std::set<int32_t> wanted = wanted_lines(function, ran);
  std::map<int32_t, std::string> found;
  size_t bytes = 0;
  for (const int32_t line : wanted) {
    if (file.lines.contains(line)) continue;
    const std::string_view text = lines_.line(function.source, line);
    if (text.data() == nullptr) continue;
    bytes += found.emplace(line, cut_text(text, limits_.line_bytes)).first->second.size() + 2;
  }
  if (bytes_ + bytes > limits_.source_bytes) {
    ++left_out_;
    return place->second;
  }
  bytes_ += bytes;
  file.lines.merge(found);
  return place->second;
}

std::string PageSource::excerpt(const FunctionProfile& function, int32_t line, int32_t column, size_t length, size_t most) {
  const std::string_view text = lines_.line(function.source, line);
  const auto first = static_cast<size_t>(std::max(column, 1)) - 1;
  return first < text.size() ? cut_text(text.substr(first, length), most) : std::string();
}

nlohmann::ordered_json PageSource::json() {
  auto files = nlohmann::ordered_json::array();
  for (const File& file : files_) {
    auto ranges = nlohmann::ordered_json::array();
    int32_t next = 0;
    std::string text;
    int32_t first = 0;
    const auto close = [&] {
      if (next != 0) ranges.push_back({first, text});
    };
    for (const auto& [line, line_text] : file.lines) {
      if (line != next) {
        close();
        first = line;
        text = line_text;
      } else {
        text += "\n" + line_text;
      }
      next = line + 1;
    }
    close();
    files.push_back({{"name", cut_text(file.name, kLongestName)}, {"ranges", std::move(ranges)}});
    if (const std::string_view problem = lines_.problem(file.source); !problem.empty()) files.back()["problem"] = problem;
  }
  return files;
}

}  // namespace mangata
