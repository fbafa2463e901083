// Coverage for programs, and for adding up runs (version 1). Reading it needs neither the sources nor a machine.
//
//     {"format": "mangata-coverage", "version": 1, "program": "Mangata 0.1.0", "folder": "/home/me/project",
//      "totals": {"lines": [hit, all], "functions": [hit, all], "branches": [hit, all]},
//      "files": [{"name": "src/a.lua",
//                 "text": "16 hex digits",                    a hash: counts of other texts are not added
//                 "line_count": n,
//                 "lines": [[line, hits], ...],               those that count
//                 "conditions": [[line, arm, count, arm, count], ...],   "T" and "F", "loop" and "done", "enter" and "skip"
//                 "functions": [{"name", "line", "last_line", "first_counted_line", "calls"}],
//                 "paths": [...]}],                           with --coverage-paths: of all functions (function_paths.h)
//      "problems": [{"name", "what"}]}                        files that cannot be shown
//
//     {"name": "f", "line": n, "column": n,
//      "possible": n,                                         null: too many, none is counted
//      "is_listed": true,                                     those that were never taken are in "paths", too
//      "branches": [[line, column, arm, arm], ...],           columns are 0 where a line has only one
//      "loops": [{"line", "column", "may_be_left_out", "is_fixed", "left_out", "entered", "iterations", "once": [least, most]}],
//      "paths": [[start, end, line of the return, count, [2 · branch + arm, ...]], ...]}   start and end: -1 or a loop
#pragma once

#include <string>

#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {

std::string write_json(const CoverageReport& report);

/// Adds what a saved report has to `report`. `text` may be anything. False: it is no coverage; *error says what is wrong with `file`.
bool read_json_report(const std::string& text, const std::string& file, CoverageReport* report, std::string* error);

/// Whether a text looks like coverage, and not like a profile.
bool is_coverage(const std::string& text);

}  // namespace mangata::coverage
