// Comparing the profiles of two runs, by function and by path.
//
// Invariant: functions are the same when their code is (FunctionProfile::id), wherever they stand, and paths when their keys are. A function
// whose code has changed, but not its name and file, is compared as a whole. What is the same in both runs is not in the difference.
#pragma once

#include <string>
#include <vector>

#include "profiler/model/cost.h"
#include "profiler/model/run_profile.h"

namespace mangata {

enum class Fate : unsigned char {
  Common,    ///< in both runs
  Changed,   ///< a function of this name and file is in both, with different code
  New,       ///< only in the later run
  Vanished,  ///< only in the earlier run
};

struct PathDifference {
  Fate fate = Fate::Common;
  const PathCount* path = nullptr;  ///< of the later run, if it has it
  const FunctionProfile* function = nullptr;  ///< likewise
  Cost before;  ///< zero: the earlier run did not have it
  Cost after;  ///< zero: the later run does not have it
};

struct FunctionDifference {
  Fate fate = Fate::Common;
  std::string name;  ///< as FunctionProfile::name, of the later run where it has the function
  std::string place;  ///< "file:line"
  Cost before;  ///< its own, as FunctionRow::self
  Cost after;  ///< likewise
  std::vector<PathDifference> paths;  ///< those that differ; none when the code has changed
};

struct RunDifference {
  Cost before;  ///< of all functions
  Cost after;  ///< likewise
  std::vector<FunctionDifference> functions;  ///< those that differ

  bool is_empty() const { return functions.empty(); }
};

/// What differs in exact values; in time only, by more than two standard errors. The difference points into the profiles.
RunDifference difference(const RunProfile& before, const RunProfile& after);

}  // namespace mangata
