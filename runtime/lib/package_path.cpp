// See package_path.h. The defaults are those of Debian's lua5.4, so that modules installed for it are found.
#include "runtime/lib/package_path.h"

#include <unistd.h>

#include <cstdlib>

namespace mangata {

namespace {

constexpr std::string_view kDefaultPath =
    "/usr/local/share/lua/5.4/?.lua;/usr/local/share/lua/5.4/?/init.lua;"
    "/usr/local/lib/lua/5.4/?.lua;/usr/local/lib/lua/5.4/?/init.lua;"
    "/usr/share/lua/5.4/?.lua;/usr/share/lua/5.4/?/init.lua;"
    "./?.lua;./?/init.lua";
constexpr std::string_view kDefaultCPath =
    "/usr/local/lib/lua/5.4/?.so;/usr/lib/x86_64-linux-gnu/lua/5.4/?.so;/usr/lib/lua/5.4/?.so;"
    "/usr/local/lib/lua/5.4/loadall.so;./?.so";
constexpr std::string_view kVersionSuffix = "_5_4";

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (size_t found; (found = text.find(from)) != std::string_view::npos;
       text.remove_prefix(found + from.size())) {
    result.append(text.substr(0, found)).append(to);
  }
  return result.append(text);
}

std::string path_from_environment(Vm& vm, const std::string& variable, std::string_view fallback) {
  const char* setting = std::getenv((variable + std::string(kVersionSuffix)).c_str());
  if (setting == nullptr) setting = std::getenv(variable.c_str());
  if (setting == nullptr || table_get_string(vm.registry, vm.intern("LUA_NOENV")).is_truthy()) {
    return std::string(fallback);
  }
  const std::string_view path = setting;
  const size_t mark = path.find(";;");
  if (mark == std::string_view::npos) return std::string(path);
  const std::string_view before = path.substr(0, mark);
  const std::string_view after = path.substr(mark + 2);
  std::string result;
  if (!before.empty()) result.append(before).append(";");
  result.append(fallback);
  if (!after.empty()) result.append(";").append(after);
  return result;
}

}  // namespace

std::string initial_package_path(Vm& vm) { return path_from_environment(vm, "LUA_PATH", kDefaultPath); }
std::string initial_package_cpath(Vm& vm) { return path_from_environment(vm, "LUA_CPATH", kDefaultCPath); }

bool search_path(std::string_view name, std::string_view path, std::string_view separator,
                 std::string_view replacement, std::string* result) {
  const std::string file_part =
      separator.empty() ? std::string(name) : replace_all(name, separator, replacement);
  const std::string files = replace_all(path, "?", file_part);
  for (size_t begin = 0; begin <= files.size();) {
    const size_t end = std::min(files.find(';', begin), files.size());
    const std::string file = files.substr(begin, end - begin);
    if (!file.empty() && ::access(file.c_str(), R_OK) == 0) {
      *result = file;
      return true;
    }
    begin = end + 1;
  }
  *result = "no file '" + replace_all(files, ";", "'\n\tno file '") + "'";
  return false;
}

}  // namespace mangata
