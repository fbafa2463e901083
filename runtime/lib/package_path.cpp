// See package_path.h. The defaults are those of Debian's lua5.4, so that modules installed for it are found.
#include "runtime/lib/package_path.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "runtime/lib/plain_search.h"
#include "vm/poll.h"

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

Status append_replaced(Vm& vm, StringBuilder& out, std::string_view text, std::string_view from, std::string_view to) {
  size_t unpolled_bytes = 0;
  const char* found;
  while (!text.empty() && (found = find_plain(text, from)) != nullptr) {
    const size_t before = static_cast<size_t>(found - text.data());
    out.append(text.substr(0, before));
    out.append(to);
    if (out.failed()) return raise_out_of_memory(vm);
    text.remove_prefix(before + from.size());
    unpolled_bytes += before + to.size() + 16;
    if (unpolled_bytes > kNativePollPeriod) {
      TRY(poll_native(vm, static_cast<int64_t>(unpolled_bytes / 16)));
      unpolled_bytes = 0;
    }
  }
  out.append(text);
  if (out.failed()) return raise_out_of_memory(vm);
  return poll_native(vm, static_cast<int64_t>(text.size() / 16));
}

Result<bool> search_path(Vm& vm, std::string_view name, std::string_view path, std::string_view separator,
                         std::string_view replacement, std::string* file, StringBuilder& tried) {
  StringBuilder file_part(vm), files(vm);
  if (!separator.empty()) {
    TRY(append_replaced(vm, file_part, name, separator, replacement));
    name = file_part.view();
  }
  TRY(append_replaced(vm, files, path, "?", name));
  const std::string_view all = files.view();
  for (size_t begin = 0; begin <= all.size();) {
    const size_t end = std::min(all.find(';', begin), all.size());
    const std::string_view candidate = all.substr(begin, end - begin);
    begin = end + 1;
    TRY(poll_native(vm, candidate.empty() ? 1 : kWorkOfSystemCall));
    if (candidate.empty() || candidate.size() >= PATH_MAX) continue;  // the system knows no such names
    file->assign(candidate);
    if (::access(file->c_str(), R_OK) == 0) return true;
  }
  tried.append("no file '");
  TRY(append_replaced(vm, tried, all, ";", "'\n\tno file '"));
  tried.append('\'');
  return false;
}

}  // namespace mangata
