#include "jit/observers/perf_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace mangata {

PerfMap::PerfMap(const std::string& directory, ObserverFailure failed)
    : file_("perf map", directory + "/perf-" + std::to_string(getpid()) + ".map", O_WRONLY,
            std::move(failed)) {}

void PerfMap::code_added(const CodeDescription& code) {
  char range[40];
  std::snprintf(range, sizeof range, "%zx %zx ", reinterpret_cast<size_t>(code.start), code.size_bytes);
  const std::string line = range + symbol_name(code) + "\n";
  file_.append(line.data(), line.size());
}

}  // namespace mangata
