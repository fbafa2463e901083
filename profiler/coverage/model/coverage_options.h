// What --coverage is to write.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {

struct CoverageFormat {
  std::string_view name;          ///< the value of --coverage-format=
  std::string_view extensions;    ///< of files that are written so unless told otherwise, separated by blanks
  std::string_view default_file;  ///< empty: standard error
  std::string_view description;   ///< for --help: lower case, no full stop
  std::string (*write)(const CoverageReport& report);  ///< the whole file
  bool is_added;                  ///< a run does not replace the file but adds its hits to those that it has (LuaCov's)
};

/// The first is the default.
std::span<const CoverageFormat> coverage_formats();

/// Null: there is none of this name.
const CoverageFormat* find_coverage_format(std::string_view name);

/// By the end of the file's name, or the default.
const CoverageFormat& coverage_format_of_file(std::string_view file_name);

struct CoverageOptions {
  bool is_on = false;  ///< --coverage
  std::string file;                        ///< empty: the format's
  const CoverageFormat* format = nullptr;  ///< null: the file's
  std::vector<std::string> includes;       ///< patterns of file names; empty: whatever was loaded
  bool counts_paths = false;               ///< beside lines and conditions
  std::optional<double> fail_under;        ///< percent of lines
};

}  // namespace mangata::coverage
