// One function of the page: its lines, conditions, paths and loops.
#pragma once

#include "profiler/page/page_rows.h"
#include "profiler/page/page_source.h"

namespace mangata {

/// Adds "lines", "conditions", "paths" and "loops" to the JSON of a function that has a profile, and its source lines to `source`.
void add_function_details(const FunctionScreen& screen, const FunctionProfile& function, const PageLimits& limits, PageSource* source, PageJson* json);

}  // namespace mangata
