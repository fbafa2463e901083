// Reading a profile that may be anything: every member is looked at before it is believed.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "profiler/baseline_profile.h"
#include "profiler/path_profile.h"

namespace mangata {
namespace {

using Json = nlohmann::json;

/// What is wrong with a file, and at which member.
struct Problem {
  std::string place;  ///< a JSON pointer
  std::string text;
};

/// One value of the document, which knows where it stands. Errors are thrown: they end the reading at any depth.
class Member {
 public:
  Member(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void fail(const std::string& text) const { throw Problem{place_, text}; }

  Member operator[](const char* name) const {
    if (!json_.is_object()) fail("expected an object");
    const auto found = json_.find(name);
    if (found == json_.end()) fail("has no member \"" + std::string(name) + "\"");
    return {*found, place_ + "/" + name};
  }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }

  template <class Visit>
  void each(Visit visit) const {
    if (!json_.is_array()) fail("expected an array");
    for (size_t i = 0; i < json_.size(); ++i) visit(Member(json_[i], place_ + "/" + std::to_string(i)));
  }
  std::string text() const {
    if (!json_.is_string()) fail("expected a string");
    return json_.get<std::string>();
  }
  double number(double least, double most) const {
    if (!json_.is_number()) fail("expected a number");
    const double value = json_.get<double>();
    if (!(value >= least && value <= most)) fail("out of range");
    return value;
  }

 private:
  const Json& json_;
  std::string place_;
};

constexpr size_t kIdDigits = 16;

void read_paths(const Member& paths, BaselineFunction* function) {
  paths.each([&](const Member& path) { function->keys.insert(path["key"].text()); });
}

void read_function(const Member& member, BaselineProfile* profile) {
  const std::string id = member["id"].text();
  if (id.size() != kIdDigits || id.find_first_not_of("0123456789abcdef") != std::string::npos) {
    member["id"].fail("expected 16 hexadecimal digits");
  }
  BaselineFunction& function = profile->functions[id];
  function.name = member["name"].text();
  function.source = member["source"].text();
  function.line = static_cast<int32_t>(member["line"].number(0, INT32_MAX));
  read_paths(member["paths"], &function);
  if (!member.has("loops")) return;
  member["loops"].each([&](const Member& loop) { read_paths(loop["windows"], &function); });
}

void read_profile(const Member& root, BaselineProfile* profile) {
  if (root["format"].text() != "mangata-path-profile") root["format"].fail("not a path profile of Mangata");
  if (root["version"].number(0, INT32_MAX) != 1) root["version"].fail("expected version 1");
  profile->iterations = static_cast<unsigned>(root["k"].number(1, INT32_MAX));
  profile->shown_percent = root["totals"]["shown_percent"].number(0, 100);
  root["functions"].each([&](const Member& function) { read_function(function, profile); });
}

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

bool parse_baseline(const std::string& text, const std::string& file, BaselineProfile* profile, std::string* error) {
  profile->file = file;
  try {
    const Json json = Json::parse(text);
    read_profile(Member(json, ""), profile);
    return true;
  } catch (const Json::parse_error& problem) {
    *error = file + ":" + line_and_column(text, problem.byte) + ": not a path profile: it is not JSON";
  } catch (const Json::exception&) {
    *error = file + ": not a path profile: it has a number or a text that cannot be read";
  } catch (const Problem& problem) {
    *error = file + ": not a path profile to compare with: " + (problem.place.empty() ? "it" : problem.place) + ": " +
             problem.text;
  }
  return false;
}

bool read_baseline(const std::string& file, BaselineProfile* profile, std::string* error) {
  std::FILE* in = std::fopen(file.c_str(), "rb");
  std::string text;
  if (in != nullptr) {
    char buffer[1 << 14];
    for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, in)) > 0;) text.append(buffer, got);
  }
  if (in == nullptr || std::ferror(in) != 0) {
    *error = "cannot read profile '" + file + "': " + std::strerror(errno);
    if (in != nullptr) std::fclose(in);
    return false;
  }
  std::fclose(in);
  return parse_baseline(text, file, profile, error);
}

}  // namespace mangata
