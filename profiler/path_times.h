// From time by instruction to time by path.
//
// [DESIGN] A sample falls before its path is known: the processor is in some block, and the path ends later. So the time that was spent
// in a block goes to the paths that run through it, in proportion to how often they did, which is exactly known. That is an estimate:
// the same block may take longer on one path than on another. Blocks that lie on one path only are charged without error. What was
// spent in blocks that no completed path has (a path was cut off there) belongs to no path.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "profiler/counted_flows.h"

namespace mangata {

/// Nanoseconds by pc of the original code.
using PlaceTimes = std::map<int32_t, uint64_t>;
/// By FunctionIdentity::key.
using FunctionTimes = std::unordered_map<uint64_t, PlaceTimes>;

/// Fills in CountedFlow::nanoseconds of completed paths and windows.
void share_times(const FunctionRecord& record, const PlaceTimes& times, CountedFlows* flows);

}  // namespace mangata
