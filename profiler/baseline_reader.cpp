// Reading a profile to compare with, which may be anything.
#include "profiler/baseline_profile.h"
#include "profiler/model/json_member.h"

namespace mangata {
namespace {

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

}  // namespace

bool parse_baseline(const std::string& text, const std::string& file, BaselineProfile* profile, std::string* error) {
  profile->file = file;
  return read_json(text, file, "a path profile", [profile](const Member& root) { read_profile(root, profile); }, error);
}

bool read_baseline(const std::string& file, BaselineProfile* profile, std::string* error) {
  std::string text;
  return read_whole_file(file, &text, error) && parse_baseline(text, file, profile, error);
}

}  // namespace mangata
