// What a run has covered, chunk by chunk: the counts that all reports are written from.
//
// Invariant: functions of a chunk are in order of line and key; a key says which function of which source it is (content_hash.h), so
// equal keys of two runs are the same function, and their counts may be added. Read next: profiler/coverage/make_source_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/coverage/conditions.h"
#include "profiler/coverage/line_events.h"
#include "profiler/coverage/model/function_paths.h"
#include "profiler/coverage/model/stats_file.h"

namespace mangata::coverage {

struct CoveredFunction {
  uint64_t key = 0;  ///< of the function's code: equal functions have equal ones
  std::string name;  ///< as in FunctionProfile
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t last_line_defined = 0;  ///< of its `end`
  uint64_t calls = 0;  ///< times it was entered
  LineHits lines;  ///< by line
  std::vector<Condition> conditions;
  std::optional<FunctionPaths> paths;  ///< empty: they were not asked for, or this is only the text of a function
};

struct CoveredChunk {
  std::string source;  ///< chunk name as given to load: "@file"
  std::vector<CoveredFunction> functions;
};

struct RunCoverage {
  std::vector<CoveredChunk> chunks;  ///< by source
};

/// Adds the paths of the same function, if there are any.
void merge_paths(std::optional<FunctionPaths>& into, const std::optional<FunctionPaths>& other);

/// Adds the counts of another run.
void merge(RunCoverage& into, const RunCoverage& other);

/// All hits, by the names of files or chunks.
Stats stats_of(const RunCoverage& run);

/// The name of the chunk's file as LuaCov keeps it: without the @ of files, and a ./ in front.
std::string stats_name(const std::string& source);

/// Whether a chunk name is that of a file.
inline bool is_file(const std::string& source) { return source.size() > 1 && source[0] == '@'; }

}  // namespace mangata::coverage
