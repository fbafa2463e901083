// What a tiering policy wants to know of a function's counters, at one moment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/sampled_function.h"

namespace mangata {

struct LoopStatistics {
  int32_t line = -1;  ///< of the head; -1: not known
  bool can_iterate = false;  ///< innermost, so it may be profiled over k >= 2 iterations
  unsigned k = 1;            ///< installed
  uint32_t distinct = 0;     ///< ways through k iterations that ran
  uint64_t iterations = 0;   ///< counted
  double top_share = 0;      ///< of the most frequent way through one iteration
  double second_share = 0;  ///< of the next
  std::vector<double> accuracy;  ///< acc(1), ..., acc(k)
};

struct FunctionStatistics {
  uint64_t possible_paths = 0;  ///< that the numbering has
  bool is_hashed = false;  ///< counters are a hash table, whose keys are no path numbers
  uint32_t distinct = 0;       ///< counters that are not zero
  uint64_t executions = 0;        ///< their sum
  uint64_t executions_since = 0;  ///< of these, since statistics were taken before
  uint64_t residual = 0;          ///< of the latter, those of paths that are not preferred
  double top_share = 0;  ///< of the most frequent path
  double stability = 1;        ///< overlap of what was counted since then with what was before (since the last forget)
  std::vector<LoopStatistics> loops;  ///< by row of SampledFunction::loops
  struct HotPath {
    uint64_t count = 0;  ///< since statistics were taken before
    uint64_t length = 0;  ///< bytecodes
    std::string key;  ///< as in reports
  };
  std::vector<HotPath> hottest;  ///< most frequent first, not many
};

/// Of the layer whose counters are installed, or were last: what it has counted since the last forget();
/// before anything was counted, the loops only. Remembers what it has seen; the next statistics are compared
/// with it.
/// @param hottest  so many paths; 0: no paths, and of loops nothing that takes decoding
FunctionStatistics take_statistics(SampledFunction& function, size_t hottest);

}  // namespace mangata
