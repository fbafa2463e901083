// Source lines in the text report: those of the hottest paths, and of functions with what each line cost.
#pragma once

#include <string>

#include "profiler/report_functions.h"
#include "profiler/selection.h"
#include "profiler/source_lines.h"

namespace mangata {

/// Of the hottest few of the selection.
std::string path_listings(const Selection& selection, SourceLines& sources);
/// The functions that --profile-list names.
std::string function_listings(const FunctionScreen& screen, SourceLines& sources);

}  // namespace mangata
