// Coverage of several runs becomes that of all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {

class MergedFiles {
 public:
  /// Adds what `run`, a file of saved coverage, has. Files whose text is another one than that of the first run are a problem of the report.
  void add(std::vector<SourceFile> files, const std::string& run);

  /// All files, by name, with their texts where these are still the ones that ran; and problems.
  void move_to(CoverageReport* report);

 private:
  std::map<std::string, SourceFile> files_;
  std::vector<FileProblem> problems_;
};

}  // namespace mangata::coverage
