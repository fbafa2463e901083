// Coverage of files for people and for programs. What the numbers mean: profiler/coverage/README.md.
//
// Read next: profiler/coverage/model/source_file.h.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "profiler/coverage/model/source_file.h"

namespace mangata::coverage {

struct CoverageReport {
  std::vector<SourceFile> files;     ///< by name
  std::vector<FileProblem> problems; ///< files that were loaded and cannot be shown
  std::string program;               ///< who writes: "Mangata 0.1"
  std::time_t time = 0;  ///< when the report is made
  std::string folder;                ///< what file names are relative to
};

/// For people.
std::string write_text(const CoverageReport& report);

/// A tracefile as geninfo(1) of LCOV describes it, for genhtml and who reads the same.
std::string write_lcov(const CoverageReport& report);

/// XML by Cobertura's DTD coverage-04.
std::string write_cobertura(const CoverageReport& report);

/// For LuaCov's reporters. Only hits of lines that count: a run that writes LuaCov's file by itself also has those that its reporters ignore.
std::string write_luacov(const CoverageReport& report);

/// One page without anything from elsewhere.
std::string write_html(const CoverageReport& report);

}  // namespace mangata::coverage
