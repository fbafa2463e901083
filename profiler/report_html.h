// A profile as one page for a browser: self-contained, and without any request to the network.
//
// Read next: profiler/page/README.md.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// At most a megabyte, whatever the profile: what has cost least is left out, and the page says how much that is.
std::string write_html_report(const RunProfile& profile, const ReportOptions& options);
/// The page of `after`, with a view of what has changed since `before`.
std::string write_html_diff(const RunProfile& before, const RunProfile& after, const ReportOptions& options);

}  // namespace mangata
