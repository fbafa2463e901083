#include "profiler/model/json_member.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace mangata {
namespace {

/// Deeper than any profile is; and longer than any that fits the memory of a laptop when it is taken apart.
constexpr int kDeepest = 32;
constexpr size_t kLongest = size_t{1} << 30;

std::string line_and_column(const std::string& text, size_t byte) {
  size_t line = 1;
  size_t column = 1;
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] != '\n') continue;
    ++line;
    column = 1;
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

bool read_json(const std::string& text, const std::string& file, const std::string& what, const std::function<void(const Member&)>& read,
               std::string* error) {
  const auto check_depth = [](int depth, Member::Json::parse_event_t, Member::Json&) {
    if (depth > kDeepest) throw JsonProblem{"", "lists and objects are nested too deeply"};
    return true;
  };
  try {
    const Member::Json json = Member::Json::parse(text, check_depth);
    read(Member(json, ""));
    return true;
  } catch (const Member::Json::parse_error& problem) {
    *error = file + ":" + line_and_column(text, problem.byte) + ": not " + what + ": it is not JSON";
  } catch (const Member::Json::exception&) {
    *error = file + ": not " + what + ": it has a number or a text that cannot be read";
  } catch (const JsonProblem& problem) {
    *error = file + ": not " + what + ": " + (problem.place.empty() ? "it" : problem.place) + ": " + problem.text;
  }
  return false;
}

bool read_whole_file(const std::string& file, std::string* text, std::string* error) {
  errno = 0;
  std::FILE* in = std::fopen(file.c_str(), "rb");
  text->clear();
  if (in != nullptr) {
    char buffer[1 << 14];
    for (size_t got; text->size() <= kLongest && (got = std::fread(buffer, 1, sizeof buffer, in)) > 0;) text->append(buffer, got);
  }
  const bool failed = in == nullptr || std::ferror(in) != 0;
  if (failed) *error = "cannot read profile '" + file + "': " + std::strerror(errno);
  if (in != nullptr) std::fclose(in);
  if (!failed && text->size() > kLongest) *error = "cannot read profile '" + file + "': it is longer than 1 GiB";
  return !failed && text->size() <= kLongest;
}

}  // namespace mangata
