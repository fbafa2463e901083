// Coverage for programs, and for adding up runs (version 1). Reading it needs neither the sources nor a machine.
//
//     {"format": "mangata-coverage", "version": 1, "program": "Mangata 0.1.0",
//      "totals": {"lines": [hit, all], "functions": [hit, all], "branches": [hit, all]},
//      "files": [{"name": "src/a.lua",
//                 "text": "16 hex digits",                    a hash: counts of other texts are not added
//                 "line_count": n,
//                 "lines": [[line, hits], ...],               those that count
//                 "conditions": [[line, arm, count, arm, count], ...],   "T" and "F", "loop" and "done", "enter" and "skip"
//                 "functions": [{"name", "line", "last_line", "first_counted_line", "calls"}]}]}
#pragma once

#include <string>

#include "profiler/coverage/reports.h"

namespace mangata::coverage {

std::string write_json(const CoverageReport& report);

/// The files of a report. `text` may be anything. False: it is no coverage; *error says what is wrong.
bool read_json_report(const std::string& text, std::vector<SourceFile>* files, std::string* error);

}  // namespace mangata::coverage
