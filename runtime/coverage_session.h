// --coverage: counts while the program runs, and writes what options asked for when it ends.
//
// Hits in LuaCov's form are added to those that the file has, as LuaCov does, while no other process does the same: so processes that a
// program starts with the same options add up in one file. Read next: profiler/coverage/line_events.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/coverage/coverage_profiler.h"
#include "profiler/coverage/make_source_file.h"
#include "profiler/coverage/model/coverage_options.h"
#include "runtime/luacov_settings.h"
#include "runtime/output/output_errors.h"

namespace mangata {

class CoverageSession {
 public:
  /// What is wrong with the settings of LuaCov is told to `errors`, as what cannot be written is.
  CoverageSession(const coverage::CoverageOptions& options, OutputErrors& errors);

  coverage::CoverageProfiler& profiler() { return profiler_; }

  /// Every call must have returned or been cut off.
  void write();

  /// False: a smaller share of the lines was hit than options ask for. After write().
  bool is_enough() const { return is_enough_; }

 private:
  bool counts(const std::string& source);
  bool is_included(const std::string& name);
  std::map<std::string, coverage::FileChunks> files_of(const coverage::RunCoverage& run);
  void add_files_never_loaded(std::map<std::string, coverage::FileChunks>* files);
  coverage::CoverageReport report_on(const coverage::RunCoverage& run);
  void add_to_stats(const coverage::RunCoverage& run);

  const coverage::CoverageOptions& options_;
  OutputErrors& errors_;
  LuacovSettings settings_;
  std::string folder_;  ///< where the program began
  coverage::CoverageProfiler profiler_;
  bool is_enough_ = true;
};

}  // namespace mangata
