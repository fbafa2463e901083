// Path profiles for people (text) and programs (JSON; its schema is in profiler/JSON.md).
#pragma once

#include <string>

#include "profiler/path_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// In the format that the options name.
std::string write_report(const PathProfile& profile, const ReportOptions& options);

std::string write_text_report(const PathProfile& profile, const ReportOptions& options);
std::string write_json_report(const PathProfile& profile, const ReportOptions& options);

/// As in JSON.md: "entry", "return", ...
const char* name_of(PathStart start);
const char* name_of(PathEnd end);
const char* name_of(ReportWeight weight);
/// "33:T", "31:done": one branch on a path.
std::string describe(const PathStep& step);
/// "entry", "loop 31": where a path begins.
std::string describe_start(const Path& path);
/// "return 40", "loop 31": where a path ends.
std::string describe_end(const Path& path);
/// "loop 31 > 33:T 35:F > loop 31", with " | " between iterations; steps in the middle are left out when there are very many.
std::string describe(const Path& path);
/// "file.lua:30": where a function begins.
std::string describe_place(const FunctionProfile& function);
/// Its name, shortened for tables.
std::string short_name(const FunctionProfile& function);

}  // namespace mangata
