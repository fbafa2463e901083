// What a path report shows.
#pragma once

#include <cstddef>
#include <string>

namespace mangata {

struct ReportFormat;

/// What makes something hot: how often it was completed, or what that took. Automatic: processor time if there are samples enough, else
/// bytecodes.
enum class ReportWeight : unsigned char {
  Count,
  Bytecodes,
  Time,
  Bytes,
  Objects,
  Automatic
};

struct ReportOptions {
  const ReportFormat* format = nullptr;  ///< null: text
  ReportWeight weight = ReportWeight::Automatic;
  size_t top = 0;               ///< 0: the format's default (text: 20 functions and 5 paths of each; JSON: all)
  double minimum_percent = 0;   ///< paths below this share of the weight are hidden
  std::string function_glob;    ///< empty: all
  std::string file_glob;        ///< empty: all
  std::string listed_glob;      ///< functions whose source is shown, with what each line cost; empty: none
};

}  // namespace mangata
