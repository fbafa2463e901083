#include "jit/observers/perf_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace mangata {

PerfMap::PerfMap(const std::string& directory)
    : path_(directory + "/perf-" + std::to_string(getpid()) + ".map"),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644)) {}

PerfMap::~PerfMap() {
  if (ok()) close(file_);
}

void PerfMap::code_added(const CodeDescription& code) {
  char range[40];
  std::snprintf(range, sizeof range, "%zx %zx ", reinterpret_cast<size_t>(code.start), code.size_bytes);
  const std::string line = range + symbol_name(code) + "\n";
  [[maybe_unused]] const auto written =
      write(file_, line.data(), line.size());  // a full disk costs names only
}

}  // namespace mangata
