// What mangata-report was asked for, and doing it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "profiler/report_options.h"

namespace mangata {

struct Request {
  std::vector<std::string> files;  ///< of profiles, which are merged
  std::vector<std::string> bases;  ///< --diff
  ReportOptions options;
  std::string format;                 ///< empty: the default of what the files have
  std::optional<double> fail_under;   ///< of coverage only
  std::string profile_option;         ///< one that was given and is of profiles only; empty: none
  bool is_done = false;  ///< --help, --version: nothing is read
};

/// What came of a request: what is wrong, or else the exit code.
struct Answer {
  std::string problem;  ///< empty: nothing is wrong
  int code = EXIT_SUCCESS;  ///< of the process
};

/// Writes what is asked for to standard output. The first file says whether all are profiles or coverage.
Answer show(Request& request);

}  // namespace mangata
