// Path profiles for people (text) and programs (JSON; its schema is in profiler/JSON.md).
#pragma once

#include <string>

#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// In the format that the options name.
std::string write_report(const RunProfile& profile, const ReportOptions& options);
/// Of a part of a run: nothing is said of the run itself.
std::string write_report(const PathProfile& profile, const ReportOptions& options);

std::string write_text_report(const RunProfile& profile, const ReportOptions& options);
std::string write_json_report(const RunProfile& profile, const ReportOptions& options);

/// As in JSON.md: "entry", "return", ...
const char* name_of(PathStart start);
const char* name_of(PathEnd end);
const char* name_of(ReportWeight weight);
/// Lines in which labels need a column, ascending: FunctionProfile::crowded_lines.
using CrowdedLines = std::vector<int32_t>;
/// "33:T", "31:done": one branch on a path; "33:14:T" in a crowded line.
std::string describe(const PathStep& step, const CrowdedLines& crowded = {});
/// "entry", "loop 31": where a path begins; "loop 31:5" in a crowded line.
std::string describe_start(const Path& path, const CrowdedLines& crowded = {});
/// "return 40", "loop 31": where a path ends.
std::string describe_end(const Path& path, const CrowdedLines& crowded = {});
/// "loop 31 > 33:T 35:F > loop 31", with " | " between iterations; "(5 more)" stands for steps in the middle when there are very many.
std::string describe(const Path& path, const CrowdedLines& crowded = {});
/// "file.lua:30": where a function begins.
std::string describe_place(const FunctionProfile& function);
/// Its name, shortened for tables.
std::string short_name(const FunctionProfile& function);

}  // namespace mangata
