// What the report for programs says of the run, its texts and its time. Schema: profiler/JSON.md.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "profiler/model/run_profile.h"

namespace mangata {

nlohmann::ordered_json runs_json(const std::vector<RunInfo>& runs);
nlohmann::ordered_json chunks_json(const std::vector<ChunkText>& chunks);
nlohmann::ordered_json time_json(const TimeProfile& time);

}  // namespace mangata
