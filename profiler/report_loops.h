// The part of the text report about loops profiled over several iterations.
#pragma once

#include <string>

#include "profiler/selection.h"

namespace mangata {

/// The hottest loops, and whether looking at several iterations pays; empty when there are none.
std::string loop_table(const Selection& selection);

}  // namespace mangata
