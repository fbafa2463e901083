// Coverage as the hits of lines that LuaCov keeps, of the lines that count: what its reporters make the same reports from.
#include "profiler/coverage/model/reports.h"
#include "profiler/coverage/model/stats_file.h"

namespace mangata::coverage {

std::string write_luacov(const CoverageReport& report) {
  Stats stats;
  for (const SourceFile& file : report.files) {
    LineHits hits;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].hits != 0) hits[static_cast<int32_t>(i) + 1] = file.lines[i].hits;
    }
    if (!hits.empty()) add_stats(stats, {{file.name, std::move(hits)}});
  }
  return write_stats(stats);
}

}  // namespace mangata::coverage
