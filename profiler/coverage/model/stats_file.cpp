#include "profiler/coverage/model/stats_file.h"

#include <charconv>

namespace mangata::coverage {
namespace {

/// Takes a number and the character behind it off the text. False: it does not begin so.
bool take_number(std::string_view& text, char behind, uint64_t* number) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\n')) text.remove_prefix(1);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), *number);
  if (failure != std::errc{} || end == text.data() + text.size() || *end != behind) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return true;
}

}  // namespace

Stats parse_stats(std::string_view text) {
  Stats stats;
  uint64_t last_line = 0;
  while (take_number(text, ':', &last_line)) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    LineHits& hits = stats[std::string(text.substr(0, end))];
    text.remove_prefix(end + 1);
    uint64_t count = 0;
    for (uint64_t line = 1; line <= last_line && line <= INT32_MAX && take_number(text, ' ', &count); ++line) {
      if (count != 0) hits[static_cast<int32_t>(line)] += count;
    }
  }
  return stats;
}

std::string write_stats(const Stats& stats) {
  std::string text;
  for (const auto& [name, hits] : stats) {
    const int32_t last_line = hits.empty() ? 0 : hits.rbegin()->first;
    text += std::to_string(last_line) + ":" + name + "\n";
    auto next = hits.begin();
    for (int32_t line = 1; line <= last_line; ++line) {
      const bool is_hit = next != hits.end() && next->first == line;
      text += std::to_string(is_hit ? next->second : 0) + " ";
      if (is_hit) ++next;
    }
    text += "\n";
  }
  return text;
}

void add_stats(Stats& into, const Stats& other) {
  for (const auto& [name, hits] : other) {
    LineHits& sum = into[name];
    for (const auto& [line, count] : hits) sum[line] += count;
  }
}

}  // namespace mangata::coverage
