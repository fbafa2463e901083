// What a path report shows.
#pragma once

#include <cstddef>
#include <string>

namespace mangata {

struct ReportFormat;

/// What makes a path hot: how often it was completed, or how many bytecodes or cycles that took.
enum class ReportWeight : unsigned char { Count, Bytecodes, Cycles };

struct ReportOptions {
  const ReportFormat* format = nullptr;  ///< null: text
  ReportWeight weight = ReportWeight::Count;
  size_t top = 0;               ///< 0: the format's default (20 paths in text, all in JSON)
  double minimum_percent = 0;   ///< paths below this share of the weight are hidden
  std::string function_glob;    ///< empty: all
  std::string file_glob;        ///< empty: all
};

}  // namespace mangata
