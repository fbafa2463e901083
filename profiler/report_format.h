// The formats in which reports are written: one row each, from which the command line knows their names.
//
// A further format is two files, which declare and define its writers, and a row in report_format.cpp. A writer that a format does not
// have is null: edges, say, cannot be written as it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mangata {

struct EdgeProfile;
struct RunProfile;
struct ReportOptions;

struct ReportFormat {
  std::string_view name;         ///< the value of --profile-format=
  std::string_view extensions;   ///< of files that are written so unless told otherwise: ".json", separated by blanks
  std::string_view description;  ///< for --help: lower case, no full stop
  std::string (*write_paths)(const RunProfile& profile, const ReportOptions& options);  ///< the whole report
  std::string (*write_edges)(const EdgeProfile& profile, const ReportOptions& options);  ///< null: the format has no edges
  std::string (*write_diff)(const RunProfile& before, const RunProfile& after, const ReportOptions& options) = nullptr;  ///< null: the format has no comparisons
  bool is_binary = false;  ///< nothing for a terminal
};

/// All of them; the first is the default.
std::span<const ReportFormat> report_formats();

/// "text, json or ...": those that paths can be written in.
std::string names_of_report_formats();

/// Null: there is none of this name.
const ReportFormat* find_report_format(std::string_view name);

/// By the end of the file's name (the longest that is known), or the default.
const ReportFormat& report_format_of_file(std::string_view file_name);

}  // namespace mangata
